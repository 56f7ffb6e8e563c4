"""urlglean beside other finders of URLs: how the others are run, what is compared, and what it comes to."""
