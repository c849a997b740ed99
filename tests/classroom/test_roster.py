"""The class list: what is read, which submission belongs to whom, and one line for what can't be used."""

import pytest

from torchdojo.classroom.owners import Submitted, matched, missing
from torchdojo.classroom.roster import Student, read_roster
from torchdojo.common.errors import UsageError


def roster(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode(encoding) if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("username,name,email\nada,Ada Lovelace,ada@x.org\nbob,Bób O'Neil,b@x.org\n", "utf-8"),
        ("\ufeffusername;name;email\r\nada;Ada Lovelace;ada@x.org\r\nbob;Bób O'Neil;b@x.org\r\n", "utf-8"),
        ("SIS Login ID\tName\tEmail address\nada\tAda Lovelace\tada@x.org\n\nbob\tBób O'Neil\tb@x.org\n", "utf-16"),
        ("Login ID,First name,Last name,E-mail\nada,Ada,Lovelace,ada@x.org\nbob,Bób,O'Neil,b@x.org\n", "cp1252"),
        ('Student,ID,SIS User ID,SIS Login ID,Section,hw\n"    Points Possible",,,,,9\nAda Lovelace,1,s1,ada,x,\nBób O\'Neil,2,s2,bob,x,\n"Student, Test",9,,f00,x,\n', "utf-8"),
        ("sep=;\nusername;name,\nada;Ada Lovelace\nbob;Bób O'Neil\n", "utf-8"),
        ("username,name\rada,Ada \u2028Lovelace\rbob,Bób \x0bO'Neil\r", "utf-8"),
    ],
    ids=["plain", "from a spreadsheet", "tabs, UTF-16", "first and last, Windows", "exported by Canvas", "its separator said", "old line ends, odd blanks"],
)
def test_rosters_are_read_as_they_come(tmp_path, text, encoding):
    """Separators, encodings, and column names of the usual sources."""
    assert [(s.key, s.name) for s in read_roster(roster(tmp_path, text, encoding))] == [("ada", "Ada Lovelace"), ("bob", "Bób O'Neil")]


@pytest.mark.parametrize(
    ("text", "names", "submissions"),
    [
        (
            '"identifier","github_username","github_id","name"\n"ada@x.org","octocat","1",""\n"Bob Ross","","",""\n',
            {"octocat": "ada@x.org", "Bob Ross": "Bob Ross"},
            {"hw1-octocat": "octocat", "bob ross": "Bob Ross"},
        ),
        (
            "Identifier,Full name,ID number,Email address\nParticipant 501,Jo Li,,a@x.org\nTeilnehmer/in 502,Jo Li,77,b@x.org\n",
            {"a@x.org": "Jo Li", "77": "Jo Li"},
            {"Jo Li 501": "a@x.org", "Jo Li 502": "77"},
        ),
        (
            "OrgDefinedId,Username,Last Name,First Name,End-of-Line Indicator\n#0012,#ada,Lovelace,Ada,#\n",
            {"#ada": "Ada Lovelace"},
            {"0012": "#ada"},
        ),
        (
            "First Name,Last Name,SID,Email,Role\nAda,Lovelace,901,a@x.org,Student\n",
            {"901": "Ada Lovelace"},
            {"hw1-901": "901"},
        ),
        (
            "Student,ID,SIS Login ID,Section,hw1 (77)\n,,,,Manual Posting\nLovelace,901,,S1,\n",
            {"901": "Lovelace"},
            {},
        ),
    ],
    ids=["GitHub Classroom", "Moodle's worksheet", "Brightspace", "Gradescope", "Canvas with a row of its own"],
)  # fmt: skip
def test_nobody_on_a_platforms_list_vanishes(tmp_path, text, names, submissions):
    """Each line is a student, even without an account; the platform's names find the submissions."""
    students = read_roster(roster(tmp_path, text))

    assert {s.key: s.name for s in students} == names
    owners, nobody, _ = matched(students, [Submitted(key, key.rpartition(" ")[2] if "Li" in key else "") for key in submissions])
    assert ({key: s.key for key, s in owners.items()}, nobody) == (submissions, {})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty; put the column names in the first line"),
        ("colour,shape\nred,round\n", "no column identifies the students (found: colour, shape)"),
        ("username\n", "it lists no students"),
        ("username,name\nada,A\nada,B\n", "line 3: ada is on line 2 already"),
        ('username,name\n\nada,"A\nB"\n\nada,B\n', "line 6: ada is on line 4 already"),
        ("username,name,email\nada,Lovelace, Ada,a@x.org\n", "line 2: it has 4 columns, but the first line has 3; put text that contains ',' in quotes"),
        ('username|name\nada|A "B"\nbob|"B"C\n', "line 3: it is not a CSV file"),
        ('username,name\nada,"A\n', "line 2: it is not a CSV file: unexpected end of data"),
        (b"PK\x03\x04\x00\x00", "is not a text file; export it as CSV"),
        ("username,name,age\n,,3\n", "line 2: nothing identifies this student; fill in a column, or remove the line"),
    ],
)
def test_a_bad_roster_is_one_line(tmp_path, text, said):
    """What is wrong, and what to do."""
    with pytest.raises(UsageError) as caught:
        read_roster(roster(tmp_path, text))

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_roster_that_is_not_there(tmp_path):
    """A path that doesn't exist, and a folder."""
    with pytest.raises(UsageError, match="does not exist"):
        read_roster(tmp_path / "no.csv")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_roster(tmp_path)


@pytest.mark.parametrize(
    ("key", "number", "want"),
    [
        ("ada", "", "ada"),
        ("lovelaceada", "12", "ada"),
        ("Ada Lovelace", "", "ada"),
        ("hw3-ada", "", "ada"),
        ("ada_hw3", "", "ada"),
        ("ada@x.org", "", "ada"),
        ("somebody", "s-77", "eve"),
        ("Müller, Eve", "", "eve"),
        ("mullereve", "", "eve"),
        ("Group 7", "", "joe"),
        ("nobody", "", None),
        ("hw-john-smith", "", None),
    ],
)
def test_whose_a_submission_is(tmp_path, key, number, want):
    """By user name, name in either order, email, number, or column `folder`; two Smiths match nobody."""
    text = "username,name,email,student id,folder\nada,Ada Lovelace,ada@x.org,s-1,\neve,Eve Müller,e@x.org,s-77,\n"
    text += "joe,Joe Doe,j@x.org,s-3,Group 7\njs1,John Smith,a@x.org,s-4,\njs2,John Smith,b@x.org,s-5,\n"

    found, nobody, _ = matched(read_roster(roster(tmp_path, text)), [Submitted(key, number)])

    assert (found[key].key if key in found else None) == want
    assert (key in nobody) == (want is None)


def test_a_name_among_other_words_is_no_claim_beside_the_students_own():
    """Smith, Ada is not on the roster; Ada has handed in under her own name."""
    roster = [Student("ada", "Ada Lovelace", id="7"), Student("eve", "Eve Moss")]
    found, nobody, _ = matched(roster, [Submitted("Smith, Ada"), Submitted("ada"), Submitted("Ada Lovelace", "7"), Submitted("hw3-eve"), Submitted("x", "7")])
    assert {key: s.key for key, s in found.items()} == {"ada": "ada", "Ada Lovelace": "ada", "hw3-eve": "eve", "x": "ada"}
    assert nobody == {"Smith, Ada": "it could be Ada Lovelace's, whose ada was graded; if it is, put both into one folder"}


def test_nobody_says_why(tmp_path):
    """A submission that matches two students names both; one that matches nobody says what to do."""
    students = read_roster(roster(tmp_path, "username,name\njs1,John Smith\njs2,John Smith\n"))

    assert matched(students, [Submitted("John Smith"), Submitted("x")])[1] == {
        "John Smith": "it could be John Smith (js1) or John Smith (js2); add a column `folder` to the roster to say whose it is",
        "x": "nobody on the roster has this name; put it in a column `folder` of the student's line",
    }


@pytest.mark.parametrize(
    ("folder", "submission"),
    [
        ("x9.zip", Submitted("x9", "", ["x9.zip"])),
        ("x9.ZIP", Submitted("x9", "", ["x9.zip"])),
        ("subs/x9/", Submitted("x9", "", ["x9"])),
        (r"subs\x9", Submitted("x9", "", ["x9"])),
        ("Jo Li_501_assignsubmission_file_", Submitted("Jo Li", "501", ["Jo Li_501_assignsubmission_file_"])),
        ("Jo Li_501_assignsubmission_file_", Submitted("Jo Li 501", "501", ["Jo Li_501_assignsubmission_file_"])),
        ("lijo_12_345_ex01.py", Submitted("lijo", "12", ["lijo_12_345_ex01.py"])),
        ("x9_ex01 (1).py", Submitted("x9", "", ["x9_ex02.py", "x9_ex01 (1).py"])),
        ("Ju\u0308rgen", Submitted("Jürgen", "", ["Jürgen"])),
    ],
)
def test_a_folder_is_named_as_it_lies_there(tmp_path, folder, submission):
    """The exact name comes before any guess: another student's name equals the submission's."""
    text = f"username,name,folder\nmine,A B,{folder}\n{submission[0]},C D,\nother,E F,no\n"
    students = read_roster(roster(tmp_path, text))

    found, nobody, _ = matched(students, [submission])

    assert ({key: s.key for key, s in found.items()}, nobody) == ({submission[0]: "mine"}, {})
    assert missing(students, [submission]) == "No submission is called no, as the roster's column `folder` says for other."


def test_a_folder_named_to_the_letter_is_that_one():
    """A name that differs in case or suffix belongs to somebody else."""
    there = [Submitted("ada", "", ["ada.zip"]), Submitted("Ada", "", ["Ada"])]
    found, nobody, _ = matched([Student("s1", "X Y", folder="ada.zip"), Student("s2", "V W", folder="Q")], there)
    assert ({key: s.key for key, s in found.items()}, list(nobody)) == ({"ada": "s1"}, ["Ada"])
    found, _, _ = matched([Student("s1", "X Y", folder="ADA.zip"), Student("s2", "V W", folder="Ada")], there)
    assert {key: s.key for key, s in found.items()} == {"ada": "s1", "Ada": "s2"}


def test_a_folder_of_two_says_what_to_do(tmp_path):
    """Students who work in pairs aren't told to say whose it is when they already have."""
    students = read_roster(roster(tmp_path, "username,folder\nada,Team 7\nbob,Team 7\n"))

    assert matched(students, [Submitted("Team 7")])[1] == {
        "Team 7": "it could be ada (ada) or bob (bob); a folder is one student's; make a copy of it for each"
    }


@pytest.mark.parametrize(
    ("key", "number", "want"),
    [("John Smith", "s4", "js1"), ("John Smith s5", "s5", "js2"), ("John Smith", "9", None), ("ada-joe", "", None), ("joe_ada", "", None)],
)
def test_a_claim_is_one_persons_or_nobodys(tmp_path, key, number, want):
    """Two students of the same name are told apart by the platform's number; work with two names isn't given to one of them."""
    text = "username,name,id\nada,Ada Lovelace,1\njoe,Joe Doe,2\njs1,John Smith,s4\njs2,John Smith,s5\n"

    found, nobody, _ = matched(read_roster(roster(tmp_path, text)), [Submitted(key, number)])

    assert (found[key].key if key in found else None) == want
    assert want is not None or nobody[key].startswith("it could be ")
