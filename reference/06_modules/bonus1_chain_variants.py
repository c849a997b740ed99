"""Known mistakes and unusual but correct solutions for Chain."""

import copy  # noqa: F401 (for an edit)

from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Where does nn.Module keep its children, and under which names? Print chain._modules.",
    "add_module registers a child under a name of your choice, and raises an error for anything else. The "
    "ordered dict of children has one entry per index, even when a module appears twice.",
    "Register each module under its index as a string. Length, indexing and forward all work on the list of "
    "values of the children's dict; a slice of that list goes into a new chain.",
)


@mistake("Chain", pitfall="Modules in a plain Python list are invisible")
class PlainList(nn.Module):
    """The modules are not registered, as in a plain Python list, which parameters() does not search: register each with add_module."""

    def __init__(self, *modules):
        super().__init__()
        if not all(isinstance(m, nn.Module) for m in modules):
            raise TypeError("modules only")
        self.places = list(modules)

    def forward(self, x):
        for module in self.places:
            x = module(x)
        return x

    def __len__(self):
        return len(self.places)

    def __getitem__(self, index):
        return type(self)(*self.places[index]) if isinstance(index, slice) else self.places[index]


Flattens = mistake.edited(
    "enumerate(modules)", "enumerate(part for m in modules for part in (m if isinstance(m, Chain) else [m]))",
    "A chain inside a chain was taken apart: it is one module, at one index.")


@mistake("Chain")
class NamesWithAPrefix(PlainList):
    """The names have a prefix, such as "places.0.weight": register the modules on the chain itself."""

    def __init__(self, *modules):
        super().__init__(*modules)
        self.places = nn.ModuleList(modules)


RunsRepeatsOnce = mistake.edited("for module in self:", "for module in self.children():",
    "A module that appears twice ran once: children() leaves out repeats, so loop over _modules.values().")

CountsRepeatsOnce = mistake.edited("return len(self._modules)", "return len(list(self.children()))",
    "len counts a repeated module once: children() leaves out repeats, so count the entries.")

CountsAllLevels = mistake.edited("return len(self._modules)", "return len(list(self.modules()))",
    "len is too large: modules() gives the chain itself and modules inside modules, too. Count the chain's own entries.")

RunsItself = mistake.edited("for module in self:", "for module in self.modules():",
    "The chain calls itself without end, as in a loop over modules(), which begins with the chain itself: loop over its own entries.")

FeedsEveryoneTheInput = mistake.edited(
    """
    for module in self:
        x = module(x)
    return x
    """,
    """
    out = x
    for module in self:
        out = module(x)
    return out
    """,
    "Every module got the original x: pass each the result of the previous one.")

StopsTooEarly = mistake.edited("for module in self:", "for module in list(self)[:-1]:",
    "The last module never ran.")

SliceIsAList = mistake.edited("Chain(*places[index]) if isinstance(index, slice) else places[index]", "places[index]",
    "A slice of your Chain is a plain list: return a new Chain.")

SliceIsASequential = mistake.edited("Chain(*places[index])", "nn.Sequential(*places[index])",
    "A slice is not a Chain: return a new Chain of these modules.")

SliceIsACopy = mistake.edited("Chain(*places[index])", "Chain(*copy.deepcopy(places[index]))",
    "A slice holds copies of the modules, so training it does not train the chain: pass the modules themselves.")

NoNegativePlaces = mistake.edited("else places[index]", "else self._modules[str(index)]",
    "An index that is negative, or past the end, is not handled: count from the end, and raise IndexError if it is out of range.",
    also=[("def __len__(self) -> int:",
        """
        def __iter__(self):
            return iter(self._modules.values())

        def __len__(self) -> int:
        """)])

LooksUpAttributes = mistake.edited("else places[index]", "else getattr(self, str(index))",
    "An index out of range raises AttributeError, and a negative one, too: a loop over the chain ends only at an IndexError. Count "
    "negative indices from the end.")

SliceKeepsOldNames = mistake.edited("return Chain(*places[index]) if isinstance(index, slice) else places[index]",
    """
    if not isinstance(index, slice):
        return places[index]
    part = Chain()
    for name, module in list(self._modules.items())[index]:
        part.add_module(name, module)
    return part
    """,
    'The modules of a slice kept their old numbers: a new chain is named from "0" again.')

NumbersFromOne = mistake.edited("enumerate(modules)", "enumerate(modules, start=1)",
    'The names begin at "1": begin at "0".')

NamesWithAWord = mistake.edited("self.add_module(str(place)", 'self.add_module(f"layer{place}"',
    'The names are not the plain indices: name the modules "0", "1" and so on.')

RaisesValueError = mistake.edited("self.add_module(",
    """
    if not isinstance(module, nn.Module):
        raise ValueError("not a module")
    self.add_module(
    """,
    "Something that is not a module raises a ValueError: raise a TypeError (add_module does it for you).")

AcceptsFunctions = mistake.edited("self.add_module(", "if isinstance(module, nn.Module):\n    self.add_module(",
    "Something that is not a module was accepted: raise TypeError (add_module does it for you).")

CutsTheGraph = mistake.edited("return x", "return x.detach()",
    "No gradient flows back through the chain: don't detach what one module passes to the next.")

CutsTheGraphInEval = mistake.edited("return x", "return x if self.training else x.detach()",
    "In eval mode no gradient flows back: eval mode doesn't turn off gradients; that is left to the caller's no_grad.")


@mistake("Chain", forbidden="nn.Sequential")
class IsSequential(nn.Sequential):
    """nn.Sequential does all the work: inherit from nn.Module, and write the methods yourself."""

    def __getitem__(self, index):
        places = list(self._modules.values())
        return type(self)(*places[index]) if isinstance(index, slice) else places[index]


IsItsOwnIterator = mistake.edited("def __len__(self) -> int:",
    """
    def __iter__(self):
        self.place = 0
        return self

    def __next__(self):
        if self.place == len(self):
            raise StopIteration
        self.place += 1
        return self[self.place - 1]

    def __len__(self) -> int:
    """,
    "Two loops over the chain at the same time share one position: give each loop its own iterator.")

SortsTheNames = mistake.edited("for module in self:", "for _, module in sorted(self._modules.items()):",
    'The names were sorted as words, so "10" came before "2": take the modules in the order in which they were registered.')

SequentialInForward = mistake.edited(
    """
    for module in self:
        x = module(x)
    return x
    """,
    "return nn.Sequential(*self)(x)",
    "An nn.Sequential in forward does all the work: call the modules one after another yourself.", forbidden="nn.Sequential")

CopiesWhatNoModuleTouched = mistake.edited("return x", "return x if len(self) else x.clone()",
    "A chain without modules gives a copy of x: with nothing to do, return x itself.")

CallsForward = mistake.edited("module(x)", "module.forward(x)",
    "The hooks of a module did not run, as with module.forward(x): call the module itself, module(x).")

HandsItsModeOn = mistake.edited("module(x)", "module.train(self.training)(x)",
    "forward switches every module to the mode of the chain, so a module that was switched separately runs in the wrong mode: "
    "only call them.")

KeepsTheLastUnderAName = mistake.edited(
    """
    for place, module in enumerate(modules):
        self.add_module(str(place), module)
    """,
    """
    for place, module in enumerate(modules):
        self.add_module(str(place), module)
    if modules:
        self.last = modules[-1]
    """,
    "A module that is assigned to an attribute is registered once more, under that name, so there is one entry too many: "
    "don't assign any.")


@alternative("Chain")
class WithSetattr(nn.Module):
    """setattr registers modules; a counter instead of the length of the dict; __iter__ written out."""

    def __init__(self, *modules):
        super().__init__()
        self.n = 0
        for module in modules:
            if not isinstance(module, nn.Module):
                raise TypeError(f"{module!r} is not a module")
            setattr(self, str(self.n), module)
            self.n += 1

    def __len__(self):
        return self.n

    def __iter__(self):
        return (getattr(self, str(place)) for place in range(self.n))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(*(self[place] for place in range(*index.indices(self.n))))
        if index < 0:
            index += self.n
        if not 0 <= index < self.n:
            raise IndexError(index)
        return getattr(self, str(index))

    def forward(self, x):
        out = x
        for module in self:
            out = module(out)
        return out


@alternative("Chain")
class OnModuleList(nn.ModuleList):
    """nn.ModuleList already registers under places and indexes; only forward and the constructor are new."""

    def __init__(self, *modules):
        super().__init__(modules)

    def __getitem__(self, index):
        found = list(self._modules.values())[index]
        return type(self)(*found) if isinstance(index, slice) else found

    def forward(self, x):
        for module in self:
            x = module(x)
        return x
