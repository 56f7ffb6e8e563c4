"""The version of this distribution, from which its metadata are made: to ask the metadata for it takes 13 ms."""

__version__ = "0.1.0"
