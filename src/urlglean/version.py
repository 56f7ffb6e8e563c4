"""The version of this distribution. Its metadata are made from it, because reading them at run time takes 13 ms."""

__version__ = "0.1.0"
