# -*- coding: latin-1 -*-
# points: 10
# put: first

AUTHOR = "Zoë"
