"""Text -> findings. Opens no file, socket, clock or locale."""
