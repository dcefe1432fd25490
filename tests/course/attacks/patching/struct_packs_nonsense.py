# points: 0

import struct

struct.pack = lambda *args: b"\xff" * 8
