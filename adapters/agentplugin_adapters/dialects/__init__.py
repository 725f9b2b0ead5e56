"""What several hosts share: dialects, folders, and forms of settings, servers and packages."""
