"""2,000 files with bytes flipped, cut, doubled and spliced: each a table or a sentence, in bounded time and memory."""

import random
import resource
import time

import numpy as np
import pytest
from helpers.saved_bytes import saved

from explorer.checks import Refusal
from explorer.datasets import preview_table, read_string_classes, read_strings, read_table, read_tables
from explorer.datasets.bags import read_bags, table_bags
from explorer.datasets.files import arff

SEED, FILES = 17, 2000
SECONDS = 3.0  # of the processor: the files are small, and what a header may promise at most takes two at the limits
MARKS = (b"\0", b'"', b",", b"\n", b"\r", b"\xff", b"\xef\xbb\xbf", b"(", b">")
GIGABYTE = 1e9  # the whole process, the libraries' 300 MB included


def arff_file(rows):
    lines = ["@relation r", "@attribute a numeric", "@attribute 'b c' {u,v}", "@attribute d real", "@data"]
    return "\n".join([*lines, *(f"{x:.4f},{'uv'[i % 2]},{y:.3g}" for i, (x, y) in enumerate(rows))]).encode()


def sound_files():
    """Return (kind, bytes, reader) of sound files, some of them large enough to have several blocks."""
    rows = np.random.default_rng(SEED).normal(size=(60, 3))
    table = "\n".join(",".join(f"{x:.5g}" for x in row) for row in rows)
    csv = b"a,b,c,who\n" + table.encode().replace(b"\n", b",p\n") + b",p\n"
    bags = "bag,kind,a,b\n" + "\n".join(
        f"b{i // 6},{'uv'[i // 6 % 2]},{x:.5g},{y:.5g}" for i, (x, y, _) in enumerate(rows)
    )
    quoted = b'a,"b, c",d\n1,"x ""y"" z",NA\n2,"line\nline",3\n4,,5\n' + b"6,u,7\n" * 40
    words = np.array([(1.5, "uv", b"x", True)] * 20, dtype=[("a", "f8"), ("s", "U2"), ("t", "S3"), ("o", "?")])
    found = [
        ("CSV", csv, read_table),
        ("CSV", quoted, preview_table),
        ("CSV", csv, lambda raw: read_tables([raw, csv], missing="drop")),
        ("bags", bags.encode(), lambda raw: table_bags(read_bags(raw, "bag", "kind"), 10, 5, 0)),
        ("TSV", csv.replace(b",", b"\t"), preview_table),
        ("NPY", saved(np.save, rows), read_table),
        ("NPY", saved(np.save, words), preview_table),
        ("NPZ", saved(np.savez, a=rows[:, 0], b=rows[:, 1]), read_table),
        ("NPZ", saved(np.savez_compressed, rows), preview_table),
        ("ARFF", arff_file(rows[:, :2]), lambda raw: arff.parse(raw, "the table")),
        ("strings", b">one EI\nACGTACGT\nACG\n>two IE\nAGGTT\n" * 12, read_strings),
        ("strings", b">one EI\nACGTACGT\nACG\n>two IE\nAGGTT\n" * 12, read_string_classes),
        ("strings", b"class,sequence\n" + b"EI,CCAGCTG\nIE,CCAGGTG\n" * 20, read_string_classes),
    ]
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return found
    columns = pa.table({"a": rows[:, 0], "s": list("uvw") * 20, "l": [[1, 2]] * 60, "n": range(60), "d": [None] * 60})
    for how in ("none", "snappy", "zstd"):
        raw = saved(lambda file, how=how: pq.write_table(columns, file, compression=how, row_group_size=25))
        found.append(("Parquet", raw, read_table if how == "none" else preview_table))
    return found


def mutated(raw, others, chance):
    """Return bytes with some flipped, cut, doubled, moved, or replaced by format marks or parts of another file."""
    raw = bytearray(raw)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 8])):
        start, stop = sorted(chance.randrange(len(raw) + 1) for _ in range(2))
        act = chance.randrange(7)
        if act == 0:
            for _ in range(chance.choice([1, 2, 20])):
                raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        elif act == 1:
            del raw[start:stop]
        elif act == 2:
            raw[start:start] = raw[start:stop] * chance.choice([1, 1, 2, 50])
        elif act == 3:
            other = chance.choice(others)
            raw[start:stop] = other[chance.randrange(len(other)) :]
        elif act == 4:
            raw[start:start] = chance.choice(MARKS) * chance.choice([1, 3, 3000])
        elif act == 5:
            raw[start : start + 4] = chance.choice([b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\xff\xff\xff\xff"])
        else:
            raw[start:stop] = raw[start:stop][::-1]
        if not raw:
            raw += b"1"
    return bytes(raw[:200_000])


def peak():
    """Return the most memory, in bytes, that this process has had."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def sentence(read, raw):
    """Return the message that refuses a file, or None if it is read. Any other exception fails the test."""
    try:
        read(raw)
    except Refusal as error:
        return str(error)
    return None


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")  # numpy's and scipy's, on headers that look as if older versions had written them
def test_a_mutated_file_is_a_table_or_a_sentence():
    before, chance, sound = peak(), random.Random(SEED), sound_files()
    others = [raw for _, raw, _ in sound]
    for _, raw, read in sound:
        read(raw)
    outcomes = dict.fromkeys(sorted({kind for kind, _, _ in sound}), (0, 0))
    for i in range(FILES):
        kind, raw, read = sound[i % len(sound)]
        damaged = mutated(raw, others, chance)
        start = time.process_time()
        said = sentence(read, damaged)
        assert time.process_time() - start < SECONDS, (i, kind)
        assert said is None or 10 < len(said) < 3000, (i, kind, said)
        read_ones, refused = outcomes[kind]
        outcomes[kind] = (read_ones + (said is None), refused + (said is not None))
    assert all(read_ones > 0 and refused > 0 for read_ones, refused in outcomes.values()), outcomes
    assert peak() <= max(before + GIGABYTE / 10, GIGABYTE)  # what other tests took before is not these files' doing
