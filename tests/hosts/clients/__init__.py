"""Programs that drive a host through a protocol, if its command line does not show enough.

They run in the host's minimal environment, so they import nothing of ours.
"""
