# points: 10

import gc
import weakref


class Undead:
    def __del__(self):
        everything.append(self)


everything = [Undead() for _ in range(1_000)]
for _one in everything:
    weakref.finalize(_one, everything.append, None)
everything.append(everything)
gc.disable()
