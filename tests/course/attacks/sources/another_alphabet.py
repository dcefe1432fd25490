# -*- coding: rot13 -*-
# An encoding that is none for source code.
# points: 0
# put: alone

cevag("BREACH")
