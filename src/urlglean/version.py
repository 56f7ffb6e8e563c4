"""The version of this distribution, from which its metadata are made: to ask those takes 13 ms."""

__version__ = "0.1.0"
