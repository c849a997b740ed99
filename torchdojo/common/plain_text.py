"""Clean text from a learner's program, file name or notebook before it reaches a terminal, a page, a log or a spreadsheet."""

from __future__ import annotations

import ast
import codecs
import importlib.util
import io
import re
import tokenize
import unicodedata
import warnings

# What Unicode calls control, format, surrogate, line and paragraph separator, but for \t and \n; and the blanks that
# fonts draw as nothing (Hangul fillers, variation selectors). Written out: asking unicodedata takes a second.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# escape sequences: CSI, then the strings (OSC, DCS, ...), which end with the line at the latest, then two-letter ones
_ESCAPES = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|[]PX^_][^\x07\x1b\n]*(\x07|\x1b\\)?|[ -/]*[0-~])?|\x9b[0-?]*[ -/]*[@-~]")
_COMMANDS = re.compile(r"^([ \t]*):(?=:)|##(?=\[)", re.MULTILINE)  # of a continuous-integration job, read from its log
_PLACES = re.compile(r"(?<![\w/.])(?:/[^\s'\"<>|:]*)?/torchdojo-[a-z0-9_]{8}/(?:[a-z]+-[a-z0-9_]{8}(?:/|(?![\w.-])))?")
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")
_WORDS = "started(?: daemon)?|pid|tid|ident|native_id|thread id|process id|parent"
_NUMBERED = re.compile(rf"(?i)\b((?:{_WORDS})[ =:]{{1,2}})\d+\b|(?<=/proc/)\d+")
_PASSING = re.compile(r"(?<=/)(tmp|psm_|sem\.|mp-|torch_)[a-z0-9_]{6,}(?![\w-])")  # files and memory with a name by chance
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
# what a spreadsheet runs as a formula; it may drop blanks and quotes before it. Our own '-2 points' is no formula
_RUNS = r"[\s\"]*(?![+-][\d.,]+ points?\b)[=+\-@|%＝＋－＠]"
_FORMULA = re.compile(_RUNS)
_BEHIND = re.compile(rf"([;\t\n])(?={_RUNS})")  # some take a semicolon, a tab or a new line, not a comma, for the end of a cell
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#|!~@&])")
SLOW_ENCODINGS = ("punycode", "idna")  # Python reads them in a time that grows with the square of their length
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot hold


def clean(text: str) -> str:
    """The text without characters that a terminal obeys or nobody can see: control, escape, direction and zero-width characters.

    Lines that a CI job would take for a command ('::error::...', '##[group]') get a space that makes them text.
    """
    text = _UNSEEN.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return _COMMANDS.sub(lambda m: "## " if m[0] == "##" else f"{m[1]}: ", text)


def syntax_tree(source: str | bytes) -> ast.Module:
    """The syntax tree of a text from outside. Raises what ast.parse raises; what Python would warn of in it, such as a '\\d',
    is nothing for our terminal. Raises MemoryError for what would keep Python busy for minutes."""
    if _piled_marks(source):
        raise MemoryError("a letter with more accents than Python can sort in time")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except SystemError:  # what Python 3.11 makes of a MemoryError, or of a limit on time, while it builds the tree
            raise MemoryError("the syntax tree") from None


def decoded(source: bytes) -> str:
    """The text of a Python file, in the encoding that its first lines name. Raises SyntaxError or UnicodeError where Python cannot
    read it either, MemoryError for encodings that take minutes to read."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    if codecs.lookup(encoding).name in SLOW_ENCODINGS:
        raise MemoryError(f"the encoding {encoding}")
    try:
        return importlib.util.decode_source(source)
    except LookupError as error:  # 'zlib' and others make bytes of bytes
        raise SyntaxError(str(error)) from None


def _piled_marks(source: str | bytes) -> bool:
    """Does a letter bear a hundred accents and more? Python sorts those of a name, in a time that grows with their square."""
    try:
        text = source if isinstance(source, str) else decoded(source)
    except (SyntaxError, ValueError):
        return False  # Python cannot read it either
    if text.isascii():
        return False
    marks = [c for c in set(text) if not c.isascii() and unicodedata.combining(unicodedata.normalize("NFKD", c)[0])]
    return bool(marks) and re.search(f"[{''.join(marks)}]{{100}}", text) is not None


def stable(text: str) -> str:
    """The text without what differs from run to run: memory addresses, numbers of processes and threads, names of passing files."""
    if not text.isalnum():
        text = _ADDRESS.sub("0x...", _PASSING.sub(r"\1...", _PLACES.sub("", text)))
        text = _NUMBERED.sub(lambda m: f"{m[1] or ''}...", text)
    return text


def readable(name: str) -> str:
    """A file's name whose bytes are no UTF-8, as an old archive may leave it, with the letters of Western Windows instead."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raw = name.encode("utf-8", "surrogateescape")
        return "".join(bytes([b]).decode("cp1252", "ignore") or f"%{b:02X}" for b in raw)
    return name


def one_line(text: str) -> str:
    """The text cleaned and on one line."""
    return " ".join(clean(text).split())


def isolated(name: str) -> str:
    """A name with its writing direction isolated: otherwise the ': 3' after a Hebrew or Arabic name appears before it."""
    return f"\u2068{name}\u2069" if _RIGHT_TO_LEFT.search(name) else name


def shortened(text: str, most: int) -> str:
    """The text, cut to `most` characters; a cut text ends with three dots."""
    return text if len(text) <= most else text[: most - 3] + "..."


def markdown(text: str) -> str:
    """The text, cleaned before, for Markdown: nothing in it is a link, a tag, a mention or a table's edge."""
    return _MARKDOWN.sub(r"\\\1", text)


def xml(text: str) -> str:
    """The text for XML: what cannot be in it is named, as in '#x0B'."""
    return _NOT_XML.sub(lambda m: f"#x{ord(m[0]):02X}", text)


def cell(text: str) -> str:
    """The text for a spreadsheet: cleaned, and never a formula ('=HYPERLINK(...)' gets an apostrophe before it).

    Numbers are not for this function: '-1' would become text.
    """
    text = clean(text)
    start = "'" if _FORMULA.match(text) else ""
    return start + _BEHIND.sub(r"\1'", text)
