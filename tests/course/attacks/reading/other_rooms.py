# The room of this module and the scratch folder stand among those of others.
# points: 10
# prints: one room

import os
import sys

_room = next(path for path in sys.path if "actuator_modes" in path)
for _folder in (os.path.dirname(_room), os.path.dirname(os.getcwd()), "/tmp", "/var/tmp"):
    try:
        print("BREACH", os.listdir(_folder))
    except OSError:
        pass
print("one room")
