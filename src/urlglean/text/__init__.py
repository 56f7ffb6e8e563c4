"""From a text to its findings. No module here opens a file of the user or a socket, or uses the clock or the locale."""
