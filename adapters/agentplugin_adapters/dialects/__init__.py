"""Shared by several hosts: dialects, folders, and forms of settings, servers and packages."""
