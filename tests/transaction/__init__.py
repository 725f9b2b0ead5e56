"""The transaction: real files, real processes, real faults."""
