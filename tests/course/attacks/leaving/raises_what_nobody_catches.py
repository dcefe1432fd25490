# points: 0


class Leave(BaseException):
    pass


raise Leave
