# points: 0

from course.child.wire import Encoder

Encoder.value = lambda self, value, depth=0: float("nan")
