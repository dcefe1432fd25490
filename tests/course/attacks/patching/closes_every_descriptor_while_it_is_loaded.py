# points: 0

import os

os.closerange(0, 256)
