"""Games in time order in; out come ratings of every player-year, each module by another system."""
