"""The built-in adapters: one folder per host, and the dialects that several hosts share."""
