"""The public Agent Plugins format: written into every bundle, and read from folders and archives.

``schemas/`` contains the published schemas of https://agent-plugins.org for 1.0.0, a schema for the
proposed hooks, and those of MCPB manifests. Standard library only.
"""
