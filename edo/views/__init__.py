"""The kinds of pages: dataset and ratings in, frozen views out, every number ready to show."""
