"""Owns `python -m live`: the same command as `python live/run.py`. Never does more."""

import sys

from live.run import main

sys.exit(main())
