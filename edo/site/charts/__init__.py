"""Charts, figures and pictures drawn from ratings."""
