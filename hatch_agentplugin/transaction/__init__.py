"""Changes files on the disk, all of a group or none, whatever happens."""
