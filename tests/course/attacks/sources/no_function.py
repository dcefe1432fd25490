# points: run 3, pd_force 0, explain 0

pd_force = 3.0
