"""Every limit that protects grading: seconds, bytes and counts, each with its reason. docs/security.md shows them as a table.

A name that ends in `_SECONDS`, `_BYTES` or `_LENGTH` (characters) gives the unit; every other limit is a count. This package
imports nothing, so the worker and `wire` use it too. Start here: there is no other file. What a check may set for itself, such
as its seconds, has its default here.
"""

MIB = 2**20

"""A worker"""

WORKER_MEMORY_BYTES = 2048 * MIB
"""Address space of a worker, beyond what it has when it is locked. A worker that asks for more ends, not the machine."""
WORKER_CPU_SECONDS = 60
"""Processor time of a worker, all threads together. It ends work that the clock of the grading process doesn't see."""
WORKER_FILE_BYTES = 16 * MIB
"""Size of one file, and of the printed output. Neither can fill the disk."""
WORKER_OPEN_FILES = 64
"""Open files of a worker. Descriptors are shared by the whole machine."""
WORKER_THREADS = 64
"""Threads of a worker. Enough for PyTorch's own thread pools, too few for a fork bomb."""
WORKER_SCRATCH_BYTES = 32 * MIB
"""All files in the scratch folder together, where namespaces are on. They are kept in memory."""
WORKER_SCRATCH_FILES = 4096
"""Number of files in the scratch folder, where namespaces are on. Empty files take memory too."""
WORKER_PRINTED_BYTES = 10_000
"""Printed output that is kept for the record. A message shows less."""
CHECK_SECONDS = 10.0
"""All examples of a check, unless the check sets its own. `verify` reports a check that needs 3 seconds for the reference."""
LOAD_SECONDS = 10.0
"""One import of a submitted file. Importing PyTorch doesn't count, because it is already loaded."""
OVERTIME_CHECKS = 2
"""Checks of one exercise that may use all of their time. The others get less, or endless loops would take hours of a class."""
OVERTIME_SECONDS = 2.0
"""Time of the other checks after that. A right answer to most checks needs less."""
START_SECONDS = 120.0
"""Start of a worker without locks. It imports PyTorch, which is slow on a cold disk."""
STARTER_OPEN_FILES = 4096
"""Open files of the process that starts workers. It holds a few for each worker that runs."""
STARTER_RESTARTS = 8
"""Restarts of that process in one run. If it dies more often, the machine is the cause, and grading stops."""

"""A worker's reply"""

FRAME_BYTES = 64 * MIB
"""One reply. The size is checked before memory is allocated."""
FRAME_SECONDS = 5.0
"""The rest of a reply that has begun to arrive. A reply can't be sent byte by byte to gain time."""
FRAME_DEPTH = 32
"""Nesting of containers in an answer. It is read recursively, and Python's stack is limited."""
FRAME_VALUES = 500_000
"""Values in a reply. Each becomes an object that is larger than its bytes."""
FRAME_TENSORS = 20_000
"""Tensors in a reply. Each costs microseconds whatever its size."""
TENSOR_DIMS = 32
"""Dimensions of a tensor. The header of a tensor has a size for each."""
DICT_KEYS = 1000
"""Keys of a dict in an answer. Keys with the same hash make reading slow, and few keys can't."""
OUTCOME_TEXT_LENGTH = 4000
"""Characters of an error's text. Messages show less."""
OUTCOME_NAME_LENGTH = 1000
"""Characters of a name in an observation. A reply with a longer one is rejected."""
OUTCOME_NAMES = 50
"""Names in one list of an observation. A reply with more is rejected."""
ANSWERS_BYTES = 64 * MIB
"""All answers of an exercise, which are kept until the next exercise. It bounds the memory of the grading process."""
ANSWERS_TEXT_BYTES = 8 * MIB
"""The part of these answers that holds no tensor. Such a part becomes objects of twenty times its size."""

"""The trusted side"""

JUDGE_SECONDS = 10.0
"""Processor time to read, compare and judge the answers of a check. Right answers take a hundredth of it."""
REPETITION_JUDGE_SECONDS = 10.0
"""The same for the answers of repeated calls. They are judged again, because each one may differ."""
REPETITION_SECONDS = 2.0
"""Calls that are repeated in one request. More repetitions follow in the next request."""
REPETITIONS = 12
"""Least number of runs of a repeated check. An answer that is right every other time then passes once in 16,000 gradings."""
IMPORTS = 12
"""Imports of a file that may be random at import. An import that is right every other time then passes once in 4,000 gradings."""
IMPORTS_SECONDS = 200.0
"""All of these imports. Each one may take as long as a first import."""
IMPORT_COMPARISON_SECONDS = 10.0
"""Comparing a second import with the first one in the same worker. A worker that takes longer is replaced."""
SNAPSHOT_SECONDS = 10.0
"""Looking for changes to PyTorch and Python after an exercise. A worker that doesn't answer is discarded."""
SOURCE_BYTES = 200_000
"""Source of a file that is analyzed. A longer file counts as suspicious and gets its own worker."""
RIGHT_ANSWER_BYTES = 300_000
"""A right answer whose bytes are kept for comparison with other submissions. Those of the exercises have a third of it."""

"""A submission"""

PYTHON_FILE_BYTES = 1_000_000
"""One Python file. It is read and parsed several times."""
SUBMISSION_FILES = 2_000
"""Helper files of one submission. Each is copied for the worker."""
VISITED_FILES = 50_000
"""Files and folders that are visited in search of them. Virtual environments and checkouts have many."""
HELPERS_BYTES = 20_000_000
"""Helper files beside the exercises of one folder. Each is copied for the worker."""
READING_SECONDS = 20.0
"""Processor time to open one student's submission, git's included. An ordinary one takes a hundredth of a second."""
READING_MEMORY_BYTES = 3 << 30
"""Address space to open a submission, on Linux. The syntax tree of the largest file takes a third of it."""
RECOGNIZED_BYTES = 2_000_000
"""Files that are read because their names don't show their exercise. A submission may contain any number of such files."""
SINGLE_FOLDERS = 20
"""Folders inside each other that hold nothing but the next folder. Archives of archives make a few."""
SUBMISSION_NOTEBOOKS = 30
"""Notebooks of one submission. A course has one for each chapter."""
NOTEBOOK_BYTES = 50_000_000
"""One notebook in an archive. Pictures in outputs make notebooks large."""
NOTEBOOK_ALONE_BYTES = 100_000_000
"""A notebook that is submitted as a file. Pictures in outputs add up."""
NOTEBOOK_CELLS = 5_000
"""Cells of a notebook. Each is parsed on its own."""
NOTEBOOK_CODE_LENGTH = 300_000
"""Characters in the code cells of a notebook. All of them are parsed."""
SUBMISSION_ARCHIVES = 20
"""Archives in one submission. Each may be as large as an archive may be."""
NESTED_ARCHIVES = 2
"""Archives around an archive that is opened. One that lies in another may hold one more."""
ARCHIVE_BYTES = 200_000_000
"""The archive of one student in an archive of a class. A repository with its data fits in."""
ARCHIVE_FILES_BYTES = 50_000_000
"""All files that are taken from an archive. It bounds disk space for each student."""
ARCHIVE_STREAM_BYTES = 2_000_000_000
"""A tar file, unpacked. All of it has to be read to find its files."""
ARCHIVE_DEPTH = 24
"""Folders inside each other in an archive. Some programs pack a file with all folders from the disk's root."""
ARCHIVE_MEMBERS = 100_000
"""Entries in an archive. A repository may contain a whole environment."""
ARCHIVE_LIST_BYTES = 50_000_000
"""The list of entries in a zip file. It has room for names of 400 characters for all of them."""
ARCHIVE_HEADER_BYTES = 1_000_000
"""The header of one file in a tar file. It holds a name and times."""
BOMB_BYTES = 100_000_000
"""Size from which an unpacked archive may be meant to fill the disk. Below it, unpacking does no harm."""
BOMB_RATIO = 100
"""How many times its own size such an archive unpacks to. Text and code compress less."""
GIT_SECONDS = 20
"""One question to git about a submitted checkout. A made-up repository can keep git busy forever."""
GIT_OUTPUT_BYTES = 20_000_000
"""What git prints in reply. A few small objects can make a tree of billions of files."""
GIT_MEMORY_BYTES = 4 << 30
"""Address space of git. One small object can claim to have any size."""
GIT_FILES = 50_000
"""Files and folders in the .git of a checkout. Each one is checked before git runs."""
GIT_CHECKOUTS = 5
"""Checkouts in one submission that are asked for their times. Each one costs a few starts of git."""

"""A class"""

ROSTER_BYTES = 10_000_000
"""A class list. It is read into memory."""
ALIKE_BYTES = 64_000
"""An answer that `alike` compares with others. A longer one is left out."""
GRADER_SILENT_SECONDS = 600.0
"""Time after which a grading process that reports nothing is replaced. Every check has a shorter limit of its own."""
GRADER_TRIES = 2
"""Processes that try to grade one exercise before it is an internal error. One end may be due to the machine."""
CLUSTER_WAIT_SECONDS = 60.0
"""Wait for the first node of a cluster. A queue may start nodes late."""
CLUSTER_ANSWER_SECONDS = 20
"""Wait for the cluster's scheduler. A wrong address never answers."""
REMOVAL_SECONDS = 60.0
"""Removing one folder. A process that escaped may add files as fast as they are removed."""
SWEEP_SECONDS = 5.0
"""Removing the folders of killed runs at the start of a run. The next run continues."""
LOCK_SECONDS = 20.0
"""Wait for the processes of a killed run, which hold the lock on its results until they notice. Usually less than a second."""
STOP_SECONDS = 30
"""Time that `deliver` gives grading to write its results after the time limit. Results so far are written first."""

"""A learner's own computer"""

VISIBLE_SECONDS = 30.0
"""All visible tests of one exercise in `watch` and `progress`. A learner is waiting."""
PICTURE_SECONDS = 10
"""Drawing the picture of an exercise. A picture is optional, and its code runs after the tests."""
NOTEBOOK_TEST_SECONDS = 20
"""One visible test in a notebook. It is the time limit of pytest in the course's settings."""
PRINTED_LENGTH = 4000
"""Characters of printed output that `watch` shows of one test. The end is shown, because it is the newest."""
