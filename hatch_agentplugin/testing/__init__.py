"""For authors of plugins and adapters: fixtures and the adapter kit."""
