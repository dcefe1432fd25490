# points: run 0, pd_force 3, explain 4


def run(model, ctrl, seconds):
    while True:
        try:
            bytearray(2**40)
        except BaseException:
            return None
