"""Coding agents: their model, its checks, the adapters, and the recorded facts about them."""
