"""A page as its parts."""

import html
import re
import shlex
from html.parser import HTMLParser

EMPTY = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Elements in order, checked to be nested; text outside of style and script."""

    def __init__(self, page):
        super().__init__()
        self.open, self.seen, self.text = [], [], ""
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.text += data

    def all(self, *tags):
        return [attrs for tag, attrs in self.seen if tag in tags]


def command_in(page):
    """The words of the command that makes a page again, as a reader copies it."""
    written = re.search(r"<pre><code>(.*?)</code>", page, re.DOTALL)[1]
    return shlex.split(html.unescape(re.sub("<.*?>", "", written)))
