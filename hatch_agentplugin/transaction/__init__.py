"""Change files safely: all files of a host or none, also after a kill or a power cut."""
