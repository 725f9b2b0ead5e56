"""The code that runs when an agent calls a hook.

Standard library only, and as little of it as possible: each import here costs time at every hook
call. Handlers import ``api``; the launcher starts ``dispatch``. docs/reference/fire.md describes
the whole path.
"""
