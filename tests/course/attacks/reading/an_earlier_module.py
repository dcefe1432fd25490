# Not an attack: solutions of the modules before this one are there to build on, and their answers are not asked for.
# points: 10
# prints: may be read

from solutions import first_steps

print(first_steps.__name__, "may be read")
