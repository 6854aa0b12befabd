"""Finds similar names: accents, letter case, short forms, initials, typing errors. Uses no database."""

import re
import threading
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache

ALIKE = 0.84
MOST = 3

# Of all names, only these many that share most parts with a name are compared with it letter by letter.
MAX_COMPARED = 12
# A name has at most so many parts, however long it is; one word of the same short forms weighs as four parts.
MAX_PARTS, SHORT_FORM_PARTS = 18, 4

# Titles before a name, and letters after it, following a comma.
TITLES = {"mr", "mrs", "ms", "miss", "dr", "rev", "revd", "sir", "dame", "lady", "lord", "prof"}
SUFFIXES = TITLES | {"mbe", "obe", "cbe", "jp", "phd", "esq", "jr", "jnr", "sr", "snr"}

# Between two semicolons: a name and its short forms.
SHORT_FORMS = """
alexander alec alex sandy; alexandra alex sandra sandy; alfred alf fred; albert al bert; alan al allan allen; andrew
andy drew; anne ann anna annie annette nan; anthony tony; arthur art; barbara barb babs; beatrice bea trixie; benjamin
ben; bernard bernie; brenda bren; brian bryan; catherine katherine kathryn cath cathy kate kath kathy katie kay kitty;
charles charlie chas; christine christina chris chrissie tina; christopher chris kit; colin col; cynthia cyn; daniel
dan danny; david dave davy; deborah deb debbie; dennis denis den; derek derrick; donald don; doreen dor; dorothy dot
dottie dolly; douglas doug; edith edie; edna ed; edward ed eddie ned ted teddy; eileen aileen; eleanor ellie nell
nora; elizabeth elisabeth bess beth betty eliza elsie libby lisa liz lizzie lilibet; ellen nell nellie; emily em;
ernest ernie; evelyn eve evie; florence flo florrie; frances fran francie; francis frank; frederick fred freddie;
geoffrey jeffrey geoff jeff; george georgie; gerald gerry jerry; gillian jill gill; gladys glad; graham graeme;
gregory greg; gwendoline gwen; harold harry hal; heather hev; helen nell; henry harry hal; hilary hilly; ian iain;
irene rene; isabel isobel isabella bella; jacqueline jackie jacky; james jim jimmy jamie; jane janie jayne; janet jan;
janice jan; jean jeanie jeanne; jennifer jen jenny; jeremy jerry; joan joanie; joanne jo joanna; john jack johnny jon;
jonathan jon; joseph joe; josephine jo josie; joyce joy; judith judy jude; julia julie; katharine kath;  kenneth ken
kenny; kevin kev; laurence lawrence larry laurie; leonard len lennie; leslie lesley les; lilian lillian lil lily;
linda lynda lin lyn; louise lou; lucy lu; lynne lyn lynn; malcolm mal; margaret greta madge maggie margery margot
marge meg molly peg peggy; marjorie marjory marge; martin mart; mary may molly polly; matthew matt; maureen mo reen;
maurice morris; megan meg; michael mick mike micky; mildred millie; muriel mu; nancy nan; nicholas nick nicky; nicola
nicky; norman norm; olive ollie; oliver ollie; pamela pam; patricia pat patsy tricia trish; patrick paddy pat; pauline
paula; penelope penny pen; peter pete; philip phillip phil; phyllis phyl; raymond ray; rebecca becky; reginald reg
reggie; richard dick dickie rich rick; robert bob bobby rob robbie bert; roderick rod; rodney rod; roger rodge; ronald
ron ronnie; rosemary rose rosie; ruth ruthie; samantha sam; samuel sam sammy; sandra sandy; sarah sal sally sara;
sheila shelagh sheilagh; sidney sydney sid syd; stanley stan; stephen steven steve; stewart stuart stu; susan sue
susie suzanne susanna; sylvia syl; terence terry; theresa teresa terry tess; thomas tom tommy; timothy tim; valerie
val; vera vi; veronica ronnie; victor vic; victoria vicky; vincent vince; violet vi; vivien vivienne viv; walter wal
wally; wilfred wilf; william bill billy will willy; winifred win winnie; yvonne vonnie
"""

# {name: numbers of the groups above that have it}
GROUPS = defaultdict(set)
for _number, _forms in enumerate(SHORT_FORMS.split(";")):
    for _name in _forms.split():
        GROUPS[_name].add(_number)


class SimilarNames:
    """An index of names by their parts, so that a list compared with a list takes time for each name, not each pair."""

    # One at a time in each web process, as nothing else runs there meanwhile.
    turn = threading.Lock()

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.with_part: defaultdict[str, list[str]] = defaultdict(list)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        for part in _parts(_words(name)):
            self.with_part[part].append(name)

    def close_to(self, name: str) -> list[str]:
        """Return those that may be the same person, the most similar first, at most MOST."""
        words, shared = _words(name), Counter[str]()
        with self.turn:
            for part in _parts(words):
                shared.update(self.with_part.get(part, ()))
            found = [(_likeness(words, _words(other)), other) for other, _ in shared.most_common(MAX_COMPARED)]
        near = sorted((-alike, other) for alike, other in found if alike >= ALIKE)
        return [other for _, other in near[:MOST]]


def close_names(name: str, names: Iterable[str]) -> list[str]:
    """Return what SimilarNames does, for one name only."""
    return SimilarNames(names).close_to(name)


def folded(name: str) -> str:
    """Return a name without accents, letter case, full stops, titles and brackets, for comparing."""
    return " ".join(_words(name))


def turned(name: str) -> str:
    """Return "Atkins, Jean" as "Jean Atkins"; an empty string for a name not written surname first."""
    last, comma, first = (part.strip() for part in name.partition(","))
    if not (last and first) or "," in first or first.replace(".", "").casefold() in SUFFIXES:
        return ""
    return f"{first} {last}"


@lru_cache(maxsize=5_000)
def _words(name: str) -> tuple[str, ...]:
    bare = unicodedata.normalize("NFKD", re.sub(r"\([^)]*\)", " ", name).casefold())
    plain = "".join(letter for letter in bare if not unicodedata.combining(letter))
    words = re.sub(r"[’'`]", "", turned(plain) or plain).replace("-", " ").replace(".", " ").replace(",", " ").split()
    while len(words) > 1 and words[0] in TITLES:
        del words[0]
    while "," in plain and len(words) > 1 and words[-1] in SUFFIXES:
        del words[-1]
    return tuple(words)


@lru_cache(maxsize=5_000)
def _parts(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what similar names share: pairs of letters, the first letter of each word, and groups of short forms."""
    parts = (
        [
            f"{group}/{time}"
            for word in {words[0], words[-1]} & GROUPS.keys()
            for group in GROUPS[word]
            for time in range(SHORT_FORM_PARTS)
        ]
        if words
        else []
    )
    letters = "".join(f" {word}" for word in words)
    pairs = dict.fromkeys(letters[at : at + 2] for at in range(len(letters) - 1))
    return (*parts, *list(pairs)[:MAX_PARTS])


def _likeness(name: tuple[str, ...], candidate: tuple[str, ...]) -> float:
    """Return from 0 to 1 how likely it is that two names belong to one person."""
    if not name or not candidate:
        return 0.0
    if sorted(name) == sorted(candidate):
        return 1.0
    # A typing error in the first letter of a surname is rarer than two people.
    if name[-1][0] != candidate[-1][0] and 1 not in (len(name), len(candidate)):
        return 0.0
    if len(name) == len(candidate) == 1:
        return _word_likeness(name[0], candidate[0]) * 0.95
    if len(name) == 1 or len(candidate) == 1:
        # The first name alone, or the surname.
        [word], words = sorted((name, candidate), key=len)
        return max(_word_likeness(word, words[0]), _word_likeness(word, words[-1])) * 0.93
    first = _word_likeness(name[0], candidate[0])
    last = _word_likeness(name[-1], candidate[-1]) if first > 0.6 else 0.0
    straight = min(first, last) * 0.5 + (first + last) * 0.25
    if min(first, last) <= 0.6:
        return straight
    return max(straight, _ratio(" ".join(name), " ".join(candidate)))


@lru_cache(maxsize=50_000)
def _word_likeness(name: str, candidate: str) -> float:
    if name == candidate:
        return 1.0
    if GROUPS.get(name, set()) & GROUPS.get(candidate, set()):
        return 0.95
    if min(len(name), len(candidate)) == 1:
        return 0.9 if name[0] == candidate[0] else 0.0
    return _ratio(name, candidate)


def _ratio(name: str, candidate: str) -> float:
    """Return which share of both is their longest common subsequence, by one addition a letter (Hyyrö 2004)."""
    places: defaultdict[str, int] = defaultdict(int)
    for at, letter in enumerate(name):
        places[letter] |= 1 << at
    whole = row = (1 << len(name)) - 1
    for letter in candidate:
        both = row & places[letter]
        row = (row + both) | (row - both)
    return 2 * (len(name) - (row & whole).bit_count()) / (len(name) + len(candidate))
