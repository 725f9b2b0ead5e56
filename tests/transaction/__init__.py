"""Tests of the transaction with real files, real processes and real faults."""
