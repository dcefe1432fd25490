"""The reference library. Later modules import earlier ones from here: each can be done without the one before."""
