# Python's lock is held all the time, so no other thread of the process can say anything.
# points: run 0, pd_force 3, explain 4
# within: 30 s


def run(model, ctrl, seconds):
    return pow(7, 10**9)
