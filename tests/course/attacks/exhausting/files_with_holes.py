# A gigabyte each, as they say.
# points: run 0, pd_force 3, explain 4


def run(model, ctrl, seconds):
    for number in range(100):
        with open(f"hole{number}", "wb") as file:
            file.truncate(2**30)
