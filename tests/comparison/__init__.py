"""Compares urlglean with other finders of URLs: runs them, sorts the disagreements, reports the results."""
