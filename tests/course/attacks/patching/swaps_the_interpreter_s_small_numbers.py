# The number 211 is 212 from now on, in this process.
# points: 10

import ctypes

ctypes.memset(id(211) + 24, 212, 1)
