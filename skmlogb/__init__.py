"""Robust regression that knows its own risk, and bandits whose feedback has several outcomes."""

__version__ = "0.1.0"
