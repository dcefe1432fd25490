# points: 10
# within: 30 s

import matplotlib.pyplot as plt

_right_explain = explain


def explain(ctrl, q):
    figure, axes = plt.subplots()
    axes.plot([0, ctrl], [0, q])
    figure.savefig("balance.png")
    plt.show()
    plt.close(figure)
    return _right_explain(ctrl, q)
