"""A sketch's file is measured before it is unpacked: a small file takes little memory, whatever its headers claim."""

import io
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from explorer import Gaussian, Sketch
from explorer.checks import Refusal
from explorer.sketches import is_sketch, members

MEGABYTE = 2**20
X = np.random.default_rng(0).normal(size=(30, 2))
K = Gaussian(1.0)


def npy(array):
    file = io.BytesIO()
    np.save(file, np.asarray(array))
    return file.getvalue()


def header(shape, kind="<i8"):
    words = f"{{'descr': {kind!r}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(words)) + words.encode()


def parts_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(path, parts, zeros=(), how=zipfile.ZIP_DEFLATED):
    """Write an archive of these members; `zeros` is (name, header, megabytes of zeros) of one more."""
    with zipfile.ZipFile(path, "w", how, compresslevel=1 if how == zipfile.ZIP_DEFLATED else None) as archive:
        for name, raw in parts.items():
            archive.writestr(name, raw)
        for name, head, count in zeros:
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(head)
                for _ in range(count):
                    file.write(bytes(MEGABYTE))
    return path


@pytest.fixture
def sketch(tmp_path):
    Sketch(K, 40).update(X).save(tmp_path / "a.npz")
    return tmp_path / "a.npz"


def peak(path):
    """Return the bytes of memory that it takes to refuse a file."""
    tracemalloc.start()
    try:
        with pytest.raises(Refusal):
            Sketch.load(path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", [0, -1, 2**62, 1.0, "1", [1], [1, 1], True, 2**64 - 1, np.nan, 1j])
def test_a_format_is_a_whole_number_of_one_that_there_is(sketch, form):
    packed(sketch, parts_of(sketch) | {"format.npy": npy(form)})
    with pytest.raises(Refusal):
        Sketch.load(sketch)


def test_what_is_whole_is_read(sketch):
    assert Sketch.load(packed(sketch, parts_of(sketch))) == Sketch(K, 40).update(X)
    assert Sketch.load(packed(sketch, parts_of(sketch), how=zipfile.ZIP_STORED)) == Sketch(K, 40).update(X)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["extra", "products", "frequencies", "sums", "format", "columns", "kernel"])
def test_zeros_are_not_unpacked(sketch, name):
    parts, count = parts_of(sketch), 120
    shape, kind = {
        "frequencies": ((20, count * MEGABYTE // 160), "<f8"),
        "format": ((), f"V{count * MEGABYTE}"),
        "columns": ((count * MEGABYTE // 400,), "<U100"),
        "kernel": ((), f"<U{count * MEGABYTE // 4}"),
    }.get(name, ((count * MEGABYTE // 8,), "<i8"))
    parts.pop(f"{name}.npy", None)
    packed(sketch, parts, [(f"{name}.npy", header(shape, kind), count)])
    assert sketch.stat().st_size < MEGABYTE
    assert peak(sketch) < MEGABYTE
    members.PLAIN, before = 10**9, members.PLAIN
    try:
        assert peak(sketch) < MEGABYTE
    finally:
        members.PLAIN = before


@pytest.mark.thorough
def test_features_that_a_header_claims_are_not_made(sketch):
    f = 16_000
    parts = {name: raw for name, raw in parts_of(sketch).items() if name not in ("products.npy", "sums.npy")}
    parts |= {"features.npy": npy(f), "frequencies.npy": npy(np.zeros((f // 2, 2))), "sums.npy": npy(np.zeros(f, int))}
    packed(sketch, parts, [("products.npy", header((f * (f + 1) // 2,)), 1)])
    assert peak(sketch) < MEGABYTE


def lies(raw, size):
    """Return the bytes of an archive with another size of its last member in its directory."""
    place = raw.rfind(b"PK\x01\x02") + 24
    return raw[:place] + struct.pack("<I", size) + raw[place + 4 :]


@pytest.mark.parametrize("size", [0, 100, 1000, 10**6, 2**32 - 2])
def test_a_size_that_is_not_the_true_one_is_found(sketch, size):
    sketch.write_bytes(lies(packed(sketch, parts_of(sketch)).read_bytes(), size))
    with pytest.raises(Refusal):
        Sketch.load(sketch)


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("products", npy(np.arange(820, dtype=object))),
        ("products", header((820,))),
        ("products", header((-820,)) + bytes(-8 * -820)),
        ("products", header((-20, -41)) + bytes(8 * 820)),
        ("products", header((0,))),
        ("products", npy(np.zeros(820))),
        ("products", npy(np.zeros((820, 1), int))),
        ("products", npy(np.zeros(820, "V0"))),
        ("frequencies", npy(np.zeros((20, 0)))),
        ("frequencies", npy(np.asfortranarray(np.zeros((20, 2))))),
        ("n", npy([30])),
        ("n", npy(30)[:-1]),
        ("n", npy(30) + b"\0"),
        ("kernel", npy("Gaussian" * 100)),
        ("n", b""),
        ("n", b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**31)),
        ("n", b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535),
    ],
)
def test_a_header_that_is_not_the_true_one_is_found(sketch, name, raw):
    packed(sketch, parts_of(sketch) | {f"{name}.npy": raw})
    with pytest.raises(Refusal):
        Sketch.load(sketch)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_of_other_members_is_no_sketch(sketch):
    parts = parts_of(sketch)
    for more in ({"extra.npy": npy(1)}, {"notes.txt": b"words"}, {f"{i}.npy": npy(i) for i in range(30)}):
        packed(sketch, parts | more)
        with pytest.raises(Refusal):
            Sketch.load(sketch)
    with zipfile.ZipFile(packed(sketch, parts), "a") as archive:
        archive.writestr("n.npy", parts["n.npy"])
    assert not is_sketch(sketch)
    packed(sketch, parts, how=zipfile.ZIP_BZIP2)
    assert not is_sketch(sketch)


@pytest.mark.thorough
def test_a_directory_of_many_entries_is_not_read(sketch):
    packed(sketch, parts_of(sketch) | {f"{i}.npy": b"" for i in range(20_000)})
    assert peak(sketch) < MEGABYTE
