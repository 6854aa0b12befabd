"""What every page with a form shares."""


def posted(request):
    """The posted fields for a form, an empty POST too; None where nothing was posted."""
    return request.POST if request.method == "POST" else None
