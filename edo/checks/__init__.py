"""Checks of a whole history: what contradicts itself, and what an editor should look at again."""
