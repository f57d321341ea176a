"""The experiments of both papers, run again at their size."""
