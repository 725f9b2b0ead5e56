"""Fire: what runs at every hook call. Standard library only, and as little of it as can be.

``api`` is what a handler imports. ``script`` makes the shell text at build time. The rest is the
dispatcher, which the launcher starts when a handler must answer; docs/reference/fire.md has the
contract.
"""
