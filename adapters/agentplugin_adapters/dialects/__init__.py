"""What several hosts share: one module per dialect, and how hooks, servers and packages are written."""
