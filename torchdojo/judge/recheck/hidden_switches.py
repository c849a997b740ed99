"""Names in a learner's file that could hide operations from a check."""

from __future__ import annotations

import re
import unicodedata

from torchdojo.common.plain_text import decoded

# what hides operations from an observer of the dispatcher; no exercise needs any of it
HIDING = re.compile(
    r"_DisableTorchDispatch|(Set)?ExcludeDispatchKeyGuard|_disable_current_modes|\bno_dispatch\b|_pop_mode\w{,40}"
    r"|_(un)?(pop|push|set|get)_\w{,40}dispatch\w{,40}|_AutoDispatchBelow\w{,40}|_python_dispatch|_dispatch_(tls|key)\w{,40}"
    r"|_jit_\w{1,40}"  # all of limited length: a file may be one long name
    # what PyTorch has written in Python besides: the same function in the same small steps as one's own
    r"|torch\s{,5}(\.|import)\s{,5}_(refs|decomp|prims|inductor)\b|decomposition_table|\b(get|core_aten|run)_decompositions\b"
)
JOINED = re.compile(r"""['"]\s{,20}\+?\s{,20}[A-Za-z]{,2}['"]""")  # 'a' + 'b' is a name, too


def switch_in(text: bytes) -> str:
    """A name in a file by which the list of dispatched operations is switched off, or ''."""
    try:
        letters = decoded(text)
    except MemoryError as error:
        return str(error)
    except (SyntaxError, UnicodeError):
        letters = text.decode("latin-1")
    # as Python reads names; letter by letter, for a letter with ten thousand accents takes seconds
    letters = letters.translate({ord(c): unicodedata.normalize("NFKC", c) for c in set(letters) if not c.isascii()})
    found = HIDING.search(letters) or HIDING.search(JOINED.sub("", letters))
    return found[0] if found else ""
