"""QR codes as pictures in the page."""

import segno
from django import template
from django.utils.html import format_html
from django.utils.safestring import mark_safe

register = template.Library()

# A camera wants four empty modules round the code, and dark on light in every theme.
QUIET = 4


@register.simple_tag
def qr_code(address, label):
    """Draw the QR code of an address; `label` says what it leads to."""
    code = segno.make(address, error="m", micro=False)
    drawing = code.svg_inline(border=QUIET, dark="#000", light="#fff", omitsize=True, svgclass=None, lineclass=None)
    # segno writes figures only: nothing of the address stands in the drawing as text.
    return format_html('<div class="qr" role="img" aria-label="{}">{}</div>', label, mark_safe(drawing))
