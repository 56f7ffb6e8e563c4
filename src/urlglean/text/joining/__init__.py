"""Whether a bare URL goes on behind a line break: records of breaks, features of them, weights, the decision."""
