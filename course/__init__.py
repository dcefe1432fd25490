"""How work is checked: commands, checks, reports. It knows files, processes and results, and no physics."""

__version__ = "0.1.0"
