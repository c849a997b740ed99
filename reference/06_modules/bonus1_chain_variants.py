"""Known mistakes and odd-but-correct solutions for Chain."""

import copy  # noqa: F401 (for an edit)

from bonus1_chain import Chain
from torch import nn

from torchdojo.variants import alternative, mistake

HINTS = (
    "Where does nn.Module keep its children, and under which names? Print chain._modules.",
    "add_module registers a child under a name of your choice, and raises an error for anything else. The "
    "ordered dict of children has one entry per index, even when a module appears twice.",
    "Register each module under its index as a string. Length, indexing and forward all work on the list of "
    "values of the children's dict; a slice of that list goes into a new chain.",
)


class _Chain(Chain):
    """The reference, with slices of the mistaken class itself."""

    def __getitem__(self, index):
        places = list(self._modules.values())
        return type(self)(*places[index]) if isinstance(index, slice) else places[index]


@mistake("Chain")
class PlainList(nn.Module):
    """The modules are in a plain Python list, where parameters() does not look: register each with add_module."""

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


@mistake("Chain")
class Flattens(_Chain):
    """A chain inside a chain was taken apart: it is one module, at one index."""

    def __init__(self, *modules):
        super().__init__(*(part for m in modules for part in (m if isinstance(m, Flattens) else [m])))


@mistake("Chain")
class NamesWithAPrefix(PlainList):
    """The names have a prefix, such as "places.0.weight": register the modules on the chain itself."""

    def __init__(self, *modules):
        super().__init__(*modules)
        self.places = nn.ModuleList(modules)


RunsRepeatsOnce = mistake.edited("for module in self:", "for module in self.children():",
    "A module that appears twice ran once: children() leaves out repeats, so loop over _modules.values().",
    also=[("Chain(*places[index])", "type(self)(*places[index])")])

CountsRepeatsOnce = mistake.edited("return len(self._modules)", "return len(list(self.children()))",
    "len counts a repeated module once: children() leaves out repeats, so count the entries.",
    also=[("Chain(*places[index])", "type(self)(*places[index])")])


@mistake("Chain")
class FeedsEveryoneTheInput(_Chain):
    """Every module got the original x: pass each the result of the previous one."""

    def forward(self, x):
        out = x
        for module in self:
            out = module(x)
        return out


StopsTooEarly = mistake.edited("for module in self:", "for module in list(self)[:-1]:",
    "The last module never ran.",
    also=[("Chain(*places[index])", "type(self)(*places[index])")])


@mistake("Chain")
class SliceIsAList(Chain):
    """A slice is a list: make a new Chain of it."""

    def __getitem__(self, index):
        return list(self._modules.values())[index]


SliceIsACopy = mistake.edited("Chain(*places[index])", "type(self)(*copy.deepcopy(places[index]))",
    "A slice holds copies of the modules, so training it does not train the chain: pass the modules themselves.")


@mistake("Chain")
class NoNegativePlaces(_Chain):
    """Negative indices and indices past the end are looked up as names: count from the end, and raise IndexError if
    out of range."""

    def __getitem__(self, index):
        if isinstance(index, slice):
            return super().__getitem__(index)
        return self._modules[str(index)]

    def __iter__(self):
        return iter(self._modules.values())


@mistake("Chain")
class SliceKeepsOldNames(_Chain):
    """The modules of a slice kept their old numbers: a new chain is named from "0" again."""

    def __getitem__(self, index):
        if not isinstance(index, slice):
            return super().__getitem__(index)
        part = type(self)()
        for name, module in list(self._modules.items())[index]:
            part.add_module(name, module)
        return part


@mistake("Chain")
class NumbersFromOne(_Chain):
    """The names begin at "1": begin at "0"."""

    def __init__(self, *modules):
        nn.Module.__init__(self)
        for place, module in enumerate(modules, start=1):
            self.add_module(str(place), module)


@mistake("Chain")
class AcceptsFunctions(_Chain):
    """Something that is not a module was accepted: raise TypeError (add_module does it for you)."""

    def __init__(self, *modules):
        nn.Module.__init__(self)
        for place, module in enumerate(modules):
            if isinstance(module, nn.Module):
                self.add_module(str(place), module)


@mistake("Chain")
class CutsTheGraph(_Chain):
    """No gradient flows back through the chain: don't detach what one module passes to the next."""

    def forward(self, x):
        return super().forward(x).detach()


@mistake("Chain")
class CutsTheGraphInEval(_Chain):
    """In eval mode no gradient flows back: eval mode doesn't turn off gradients; that is left to the caller's no_grad."""

    def forward(self, x):
        y = super().forward(x)
        return y if self.training else y.detach()


@mistake("Chain")
class IsSequential(nn.Sequential):
    """The class inherits from nn.Sequential, which does all the work: inherit from nn.Module."""

    def __getitem__(self, index):
        places = list(self._modules.values())
        return type(self)(*places[index]) if isinstance(index, slice) else places[index]


@mistake("Chain")
class IsItsOwnIterator(_Chain):
    """The chain stores its own loop position, so two loops at the same time share it: give each loop its own iterator."""

    def __iter__(self):
        self.place = 0
        return self

    def __next__(self):
        if self.place == len(self):
            raise StopIteration
        self.place += 1
        return self[self.place - 1]


@mistake("Chain")
class SortsTheNames(_Chain):
    """The names were sorted as words, so "10" came before "2": take the modules in the order in which they were registered."""

    def forward(self, x):
        for name in sorted(self._modules):
            x = self._modules[name](x)
        return x


@mistake("Chain")
class SequentialInForward(_Chain):
    """forward makes an nn.Sequential, which does all the work: call the modules one after another yourself."""

    def forward(self, x):
        return nn.Sequential(*self)(x)


@mistake("Chain")
class CopiesWhatNoModuleTouched(_Chain):
    """A chain without modules gives a copy of x: with nothing to do, return x itself."""

    def forward(self, x):
        return super().forward(x) if len(self) else x.clone()


@mistake("Chain")
class CallsForward(Chain):
    """module.forward(x) bypasses the hooks of the module: call the module itself, module(x)."""

    def forward(self, x):
        for module in self:
            x = module.forward(x)
        return x

    def __getitem__(self, index):
        found = super().__getitem__(index)
        return CallsForward(*found) if isinstance(index, slice) else found


@mistake("Chain")
class HandsItsModeOn(_Chain):
    """forward switches every module to the mode of the chain, so a module that was switched separately runs in the
    wrong mode: only call them."""

    def forward(self, x):
        for module in self._modules.values():
            x = module.train(self.training)(x)
        return x


@mistake("Chain")
class KeepsTheLastUnderAName(_Chain):
    """A module that is assigned to an attribute is registered once more, under that name, so there is one entry too
    many: don't assign any."""

    def __init__(self, *modules):
        super().__init__(*modules)
        if modules:
            self.last = modules[-1]


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
