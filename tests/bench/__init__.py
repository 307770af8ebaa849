"""Benchmarks, and the synthetic histories and simulated populations that they measure."""
