# points: 0
# within: 40 s

import time

time.sleep(1000)
