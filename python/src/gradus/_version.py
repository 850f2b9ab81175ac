"""The version, which is that of the program; the build writes it."""

__version__ = "0.1.0"
