def guard(event)
    return None
