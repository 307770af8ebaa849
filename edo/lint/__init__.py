"""Warnings about valid data that an editor should look at again."""
