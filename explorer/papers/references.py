"""The papers behind the library's names, from `explorer.citations`."""

from explorer.citations import ARTICLE as ARTICLE
from explorer.citations import NUMBERED as NUMBERED
from explorer.citations import PAPERS as PAPERS
from explorer.citations import SOFTWARE as SOFTWARE
from explorer.citations import Reference as Reference
from explorer.citations import behind as behind
from explorer.citations import cited as cited
from explorer.citations import documentation as documentation
from explorer.citations import references as references
