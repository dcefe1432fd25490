# points: 10

import functools

run = functools.partial(run)
pd_force = functools.lru_cache(pd_force)
explain = type("Explain", (), {"__call__": staticmethod(explain)})()
