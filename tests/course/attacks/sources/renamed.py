# points: run 3, pd_force 0, explain 0

pd_Force = pd_force
del pd_force
