"""Programs that drive a host by a protocol, where its command line does not show enough.

They run in the host's emptied environment, so they import nothing of ours.
"""
