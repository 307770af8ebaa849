"""Rating systems: each module turns games in time order into ratings of player-years."""
