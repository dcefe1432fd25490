# points: 10
# put: first

from __future__ import annotations, generator_stop

GREETING = "hello"
