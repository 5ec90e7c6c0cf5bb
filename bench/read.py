# SPDX-License-Identifier: MIT
"""read.py FILE SETTING LIMIT: seconds that pandas' C reader takes, reading with
its default, int8 or category setting; ends itself after LIMIT seconds."""
import signal
import sys
import time

import pandas

path, setting, limit = sys.argv[1], sys.argv[2], float(sys.argv[3])
signal.setitimer(signal.ITIMER_REAL, limit)  # its default action ends us
arguments = {} if setting == "default" else {"dtype": setting}
start = time.monotonic()
pandas.read_csv(path, engine="c", **arguments)
print("%.4f" % (time.monotonic() - start))
