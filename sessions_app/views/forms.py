"""What every page with a form shares."""


def posted(request):
    """The posted fields for a form, an empty POST too; None where nothing was posted."""
    return request.POST if request.method == "POST" else None


def id_in(text):
    """Return the id of a row that an address or a form holds; None where it is no number that any row can have."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None
