"""Wing 1: robust regression that knows its own risk."""
