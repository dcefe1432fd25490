# A file may do to its own output what it likes.
# points: 10

import sys

sys.stdout, sys.stderr = None, object()
