#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image of the autograder; there is a network then.
set -euo pipefail
AUTOGRADER=${AUTOGRADER:-/autograder}
cd "$AUTOGRADER/source/inside-the-actuator"

# The course needs Python 3.11; what is called python3 is older on Ubuntu 22.04.
python=python3
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || python=python3.11
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    "$python" "$python-venv" bubblewrap libseccomp2

"$python" -m venv "$AUTOGRADER/venv"
"$AUTOGRADER/venv/bin/python" -m pip install --no-input --disable-pip-version-check -c requirements.txt -e "@TARGET@"
