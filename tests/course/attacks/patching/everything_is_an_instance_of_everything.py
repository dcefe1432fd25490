# The process no longer works, and that harms nobody else.
# points: 0

import builtins

builtins.isinstance = builtins.issubclass = builtins.callable = builtins.hasattr = lambda *args: True
builtins.len = lambda *args: 0
