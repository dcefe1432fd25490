# points: run 3, pd_force 0, explain 0

pd_force = type("\x1b[31m\n<b>", (), {"__call__": lambda self, *args: type("\u202eMjData\n" * 1000, (), {})()})()
pd_force.__name__ = "\x1b[2J" * 100
