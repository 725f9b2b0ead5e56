"""The hook path, run as hosts run it: a real shell, a real interpreter, real processes."""
