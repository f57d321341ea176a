"""Where policies meet environments."""
