"""What a page holds: its forms with the values they come with, and whatever of ours was not escaped."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from .values import ATTRIBUTE, TAG

ADDRESSES = ("href", "src", "action", "formaction", "hx-get", "hx-post")


@dataclass
class Form:
    action: str
    method: str
    fields: list = field(default_factory=list)


class Page(HTMLParser):
    """Read a page once: `forms`, and `strays`, the elements and attributes that someone's input has made."""

    def __init__(self, text):
        super().__init__()
        self.forms, self.strays, self._form, self._select = [], [], None, ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        self._look_for_strays(tag, given)
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self._form)
        if self._form is None:
            return
        name = given.get("name")
        if tag in ("input", "textarea", "button") and name:
            self._form.fields.append((name, given.get("value", "on" if given.get("type") == "checkbox" else "")))
        elif tag == "select":
            self._select = name or ""
        elif tag == "option" and self._select:
            self._form.fields.append((self._select, given.get("value", "")))

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""

    def _look_for_strays(self, tag, given):
        if tag == TAG or any(name.startswith(ATTRIBUTE) for name in given):
            self.strays.append(f"<{tag} {given}>")
        for name in ADDRESSES:
            if given.get(name, "").strip().lower().startswith(("javascript:", "//", "https://evil", "data:text")):
                self.strays.append(f"{name}={given[name]!r}")
