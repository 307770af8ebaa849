"""Numerical fitting of paired comparisons on plain arrays, without any knowledge of chess."""
