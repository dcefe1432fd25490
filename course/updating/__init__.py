"""The parts of `course update`: what a clone started from, where a new version comes from, how both meet."""
