"""Numerical fitting of paired comparisons on plain arrays, with no knowledge of chess."""
