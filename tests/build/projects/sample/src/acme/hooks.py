from functools import partial

from elsewhere import imported as imported


def guard(event):
    return None


def greet(event, *, loud=False):
    return None


async def later(event):
    return None


def two(event, more):
    return None


def nothing():
    return None


def keyword(event, *, needed):
    return None


def anything(*events):
    return None


@partial
def decorated(*, needed):
    return None


class Guard:
    def __init__(self, event):
        pass


assigned = partial(greet, loud=True)
annotated: object = assigned
only_annotated: object
first, second = assigned, assigned
number = 5
table = {}

try:
    import json as module

    def tried(event):
        return None
except ImportError:

    def fallback(event):
        return None
else:
    if number:

        def nested(event):
            return None
