"""The adapters that come with the product: one folder per host, and what several hosts share."""
