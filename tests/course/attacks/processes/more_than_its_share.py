# points: 10
# prints: 7 refused

import os
import resource

_refused = 0
for _attempt in (
    lambda: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2),
    lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100_000, 100_000)),
    lambda: resource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6)),
    lambda: resource.prlimit(os.getppid() or 2, resource.RLIMIT_NOFILE, (3, 3)),
    lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    lambda: os.sched_setaffinity(os.getppid() or 1, {0}),
):
    try:
        _attempt()
        print("BREACH")
    except (OSError, ValueError):
        _refused += 1
print(_refused, "refused")
