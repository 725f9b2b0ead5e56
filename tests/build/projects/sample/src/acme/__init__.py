def at_top(event):
    return None
