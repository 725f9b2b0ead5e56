"""Write launchers, one per plugin, and slot scripts, one per native event of a host."""
