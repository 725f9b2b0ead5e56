"""Writes launchers and slot scripts."""
