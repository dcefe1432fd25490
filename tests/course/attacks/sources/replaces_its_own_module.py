# points: 10

import sys
import types

sys.modules[__name__] = types.ModuleType("another")
__name__ = "__main__"
__file__ = "/etc/passwd"
