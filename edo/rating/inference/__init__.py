"""Questions put to the joint distribution of all fitted ratings."""
