"""The encoding of a text: its detection, its description, and the effect of a named encoding."""

import json
import re

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import compare, read_table, read_tables
from explorer.__main__ import main
from explorer.checks import Refusal
from explorer.comparison import compare_groups
from explorer.datasets import preview_table
from explorer.datasets.files import text_chunks
from explorer.datasets.files.encodings import encoding_of, use_encoding
from explorer.sketches.large_tables import read_large_tables

TOWNS = {
    "pl": "Łódź Kraków Gdańsk Wrocław Poznań Częstochowa Białystok Toruń Rzeszów Świnoujście Dąbrowa Żory Chełm Słupsk",
    "cs": "Plzeň Ústí Žďár Přerov Děčín Zlín Třebíč Kroměříž Břeclav Příbram Mělník Šumperk Žatec Vsetín",
    "hu": "Győr Székesfehérvár Nyíregyháza Pécs Hódmezővásárhely Békéscsaba Érd Tatabánya Dunaújváros Vác Gödöllő",
    "ru": "Москва Новосибирск Екатеринбург Казань Самара Омск Уфа Пермь Воронеж Волгоград Саратов Тюмень",
    "uk": "Київ Львів Харків Одеса Дніпро Запоріжжя Вінниця Чернівці Полтава Черкаси Житомир Рівне",
    "ja": "東京 大阪 京都 名古屋 札幌 福岡 神戸 横浜 仙台 広島 さいたま 千葉 新潟 静岡 熊本 サッポロ",
    "zh": "北京 上海 广州 深圳 天津 武汉 重庆 成都 南京 杭州 西安 沈阳 哈尔滨 济南 青岛",
    "ko": "서울 부산 대구 인천 광주 대전 울산 수원 창원 성남 고양 용인 청주 전주",
    "de": "Köln München Düsseldorf Nürnberg Münster Lübeck Würzburg Göttingen Saarbrücken Gießen Öhringen",
    "fr": "Orléans Besançon Nîmes Mâcon Béziers Sète Chambéry Évreux Angoulême Périgueux Créteil Alès",
    "es": "Málaga Córdoba Cádiz León Logroño Gijón Castellón Mérida Ávila Jaén Almería Cáceres Coruña",
    "sv": "Göteborg Malmö Västerås Örebro Linköping Norrköping Jönköping Umeå Gävle Borås Växjö Luleå",
    "el": "Αθήνα Θεσσαλονίκη Πάτρα Ηράκλειο Λάρισα Βόλος Ιωάννινα Χανιά Καβάλα Ρόδος",
    "tr": "İstanbul Ankara Diyarbakır Eskişehir Şanlıurfa Muğla Kırşehir Aydın Çanakkale Balıkesir",
}
WRITTEN = [
    *(("cp1250", each) for each in ("pl", "cs", "hu")),
    *(("cp1251", each) for each in ("ru", "uk")),
    *(("cp1252", each) for each in ("de", "fr", "es", "sv")),
    *(("mac-roman", each) for each in ("de", "fr", "es", "sv")),
    *(("utf-16", each) for each in ("de", "ru", "ja")),
    *(("utf-16-le", each) for each in ("de", "ru", "pl")),
    *(("utf-8-sig", each) for each in ("de", "ja")),
    ("cp932", "ja"),
    ("euc_jis_2004", "ja"),
    ("gb18030", "zh"),
    ("cp949", "ko"),
    ("cp1253", "el"),
    ("cp1254", "tr"),
]
FEW = {"n_resamples": 19, "rng": 0}


def towns(language, rows=120):
    """Return a table of towns of a language."""
    words = TOWNS[language].split()
    return "city,x\n" + "".join(f"{words[i % len(words)]},{i % 7}\n" for i in range(rows))


@pytest.mark.parametrize(("codec", "language"), WRITTEN)
def test_tables_in_two_encodings_have_the_same_words(codec, language):
    tables = read_tables([towns(language).encode(codec), towns(language).encode()], ["city"], lenient=True)
    assert set(tables.levels["city"]) == set(TOWNS[language].split())
    assert [bool(each) for each in tables.remarks] == [codec != "utf-8-sig", False]


@pytest.mark.parametrize(
    "text", ["5 °C", "20 µm", "±0.5", "3 m²", "“so”", "5 €", "½", "année", "Größe", "l’eau", "Åre"]
)
def test_signs_and_words_of_the_west_stay_what_they_are(text):
    raw = f"x,y\n{text},1\nBonn,2\n".encode("cp1252")
    assert encoding_of(raw).decode(raw) == raw.decode("cp1252")


def test_one_bad_byte_is_read_beside_letters_in_utf8():
    for language, codec in {"de": "cp1252", "pl": "cp1250", "ru": "cp1251", "ja": "cp932"}.items():
        word = TOWNS[language].split()[0]
        raw = towns(language).encode().replace(word.encode(), word.encode(codec), 1)
        found = encoding_of(raw)
        assert (found.codec, found.bad, found.decode(raw)) == ("utf-8", 1, towns(language))


def test_a_broken_letter_spoils_no_other_one():
    raw = "city,note\nMünchen,Kö\n".encode()[:-2] + b"\nBonn,ja\nKoblenz,\xc3\n" + towns("de")[7:].encode()
    assert "München" in encoding_of(raw).decode(raw)


def test_a_file_of_two_encodings_is_read_line_by_line():
    raw = towns("de", 60).encode() + towns("de", 12)[7:].encode("cp1252")
    assert encoding_of(raw).decode(raw) == towns("de", 60) + towns("de", 12)[7:]


def test_few_words_that_several_encodings_have_are_in_doubt():
    found = encoding_of("city,x\n北京,1\n".encode("gb18030"))
    assert found.doubt
    assert "perhaps" in found.remark


def test_ascii_and_utf8_are_no_other_encoding():
    assert encoding_of(b"a,b\n1,2\n") is None
    assert encoding_of(towns("ja").encode()) is None


@pytest.mark.thorough
def test_the_encoding_is_in_the_first_sentence():
    found = compare(towns("pl").encode("cp1250"), towns("pl").encode(), **FEW)
    assert not found.differ
    assert "read as cp1250" in found.headline
    assert "read as cp1250" in str(found).splitlines()[0]
    assert "read as cp1250" in found.to_html()
    grouped = compare(towns("pl").replace("x\n", "x\n", 1).encode("cp1250"), by="x", **FEW)
    assert "read as cp1250" in grouped.headline
    assert "read as cp1250" in compare_groups(towns("pl").encode("cp1250"), by="x", **FEW).verdict


@pytest.mark.parametrize("lenient", [False, True])
def test_a_named_encoding_is_taken_whatever_the_bytes_say(lenient):
    raw = "café,x\n1,2\n3,4\n".encode("cp1252")
    assert read_table(raw, encoding="cp1251", lenient=lenient).names == ("cafй", "x")
    assert read_table(raw, encoding="latin-1", lenient=lenient).names == ("café", "x")
    assert "Latin-1" in read_table(raw, encoding="latin-1", lenient=True).note
    tables = read_tables([raw, raw], encoding="mac-roman", lenient=lenient)
    assert tables[0].names == ("cafÈ", "x")
    with pytest.raises(Refusal, match="no letters"):
        read_table(raw, encoding="utf-8", lenient=lenient)


@pytest.mark.thorough
def test_utf8_by_name_is_utf8():
    raw = towns("de").encode()
    assert read_table(raw, encoding="utf-8", target="city").target[0] == "Köln"
    assert compare(raw, raw, encoding="UTF-8", **FEW).headline == compare(raw, raw, **FEW).headline


@pytest.mark.parametrize("encoding", ["klingon", "base64", 7, ""])
def test_what_is_no_encoding_is_refused(encoding):
    with pytest.raises(Refusal, match="encoding"):
        read_table(b"a\n1\n", encoding=encoding)


def test_a_name_holds_for_one_reading_alone():
    raw = towns("pl").encode("cp1250")
    with use_encoding("cp1251"):
        pass
    (remark,) = preview_table(raw, lenient=True).unusual
    assert names_all(remark, "cp1250")


def test_the_python_of_a_comparison_names_the_encoding():
    raw = towns("pl").encode("cp1250")
    found = compare(raw, raw, encoding="cp1252", **FEW)
    assert "encoding='cp1252'" in found.python
    assert names_all(found.headline, "cp1252")


@pytest.mark.thorough
def test_commands_take_an_encoding(tmp_path, capsys):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_bytes(towns("pl").encode("cp1250"))
    second.write_bytes(towns("pl").encode())
    main(["test", str(first), str(second), "--permutations", "19"])
    assert re.search(naming("a.csv", "cp1250"), capsys.readouterr().out.splitlines()[0])
    main(["test", str(first), str(first), "--encoding", "cp1252", "--permutations", "19", "--json"])
    assert "cp1252" in json.loads(capsys.readouterr().out)["headline"]
    main(["scan", str(first), "--permutations", "19"])
    assert re.search(naming("a.csv", "cp1250"), capsys.readouterr().out.splitlines()[0])
    main(["scan", str(first), "--encoding", "cp1252", "--permutations", "19", "--json"])
    assert names_all(json.loads(capsys.readouterr().out)["letters"], "cp1252")


@pytest.mark.thorough
@pytest.mark.parametrize("codec", ["cp1250", "cp1252", "cp932", "utf-16", "utf-8"])
def test_pieces_take_the_same_decision(codec, tmp_path, monkeypatch):
    """The first lines are plain, so that a letter far below decides."""
    monkeypatch.setattr(text_chunks, "HEAD", 400)
    monkeypatch.setattr(text_chunks, "BLOCK", 700)
    language = {"cp1250": "pl", "cp932": "ja"}.get(codec, "de")
    text = "city,x\n" + "Bonn,1\nUlm,2\n" * 60 + towns(language, 300)[7:]
    raw = text.encode(codec)
    if codec == "utf-8":
        raw = raw.replace("Köln".encode(), "Köln".encode("cp1252"), 1)
    path = tmp_path / "large.csv"
    path.write_bytes(raw)
    whole = read_tables([path, path], ["city", "x"], "drop", lenient=True)
    pieces = read_large_tables([path, path], ["city", "x"], "drop")
    assert pieces.levels == whole.levels
    assert all(np.array_equal(a.X, b.X) for a, b in zip(pieces, whole, strict=True))
    assert [each.split(":")[0][:20] for each in pieces.remarks[0]] == [each[:20] for each in whole.remarks[0]]


def test_pieces_take_a_named_encoding(tmp_path):
    path = tmp_path / "large.csv"
    path.write_bytes(towns("fr").encode("cp1252"))
    with use_encoding("mac-roman"):
        found = read_large_tables([path, path], ["city"], "drop")
    assert set(found.levels["city"]) == {each.encode("cp1252").decode("mac-roman") for each in TOWNS["fr"].split()}
