"""A small agent plugin, as an example."""
