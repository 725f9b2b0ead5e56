"""The public Agent Plugins format: written into every bundle, and read from anybody's folder.

``schemas/`` holds what https://agent-plugins.org publishes for 1.0.0, and our reading of the
proposal for hooks, and the manifests of MCPB. Standard library only.
"""
