# Of all files that can be read, none is a check, an answer to this module, or somebody's own.
# points: 10
# prints: walked

import os

_found = 0
for _folder, _, _files in os.walk("/"):
    _found += len(_files)
    for _name in _files:
        if _name in (
            "test_actuator_modes.py",
            "secret.txt",
            "passwd",
            "shadow",
            "id_rsa",
            ".bash_history",
            "grading.json",
        ):
            try:
                with open(os.path.join(_folder, _name), "rb") as _file:
                    print("BREACH", _folder, _name, _file.read(20))
            except OSError:
                pass
print("walked", _found)
