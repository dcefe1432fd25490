# points: 0

from __future__ import annotations
