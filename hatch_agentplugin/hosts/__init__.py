"""Coding agents: their model, its checks, the adapters that describe them, and what is known."""
