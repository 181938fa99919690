"""Data sets of the papers by name, and the user's tables.

`load("wine")` returns a `DataSet`: points X, a target, the names of the columns, and the terms of use. Wine, wdbc and
eckerle4 are always available. The other sets of `REGISTRY` are read from the folder that the environment variable
EXPLORER_DATA names, and only if their bytes match the registry. If the folder lacks a set that OpenML provides, `load`
downloads it once from openml.org into a cache (`download=False` never does). `read_table` reads a file into the same
type: CSV, workbooks, JSON, databases, Parquet and others; `book.xlsx#june` names a sheet or a table of a file that has
several. `preview_table` shows what such a file holds before you choose its columns. `read_tables` reads several files
together to be compared: with the same columns, the same levels of categories and the same scales. Nothing is filled and
no row is left out unless you request it. What X cannot hold, such as a column of words, is listed in `left_out`. All
three read decimal commas, other encodings and the like if `lenient` is true.

Splice holds strings, so `load("splice")` returns a `StringSet`. `read_strings` reads a FASTA file, or a text with a
string in each line, into the same type, and `read_string_classes` one that names the class of each. `splice_like` makes
synthetic strings that replace the file if it is missing, and `contaminate_strings` contaminates some of a sample.
`shape` draws pairs with one of the dependences in `SHAPES`, `cloud` points of one of `CLOUDS` with their positions
before the noise, `joint` has pairs whose conditional distributions are known, `domain_pair` a source and a target that
differ by one of `CHANGES`, `domain_cloud` points of several domains, `treated_groups` a treatment that depends on
covariates, `gaussian_tree` variables on a tree, and `motion` hidden sequences. `series` draws rows in order of time,
and `drifted` changes them from a given row on, by one of `DRIFTS`. `causal` draws three variables, some of which cause
others, by one of `CAUSES`. `toy_bags` draws bags, that is, samples each from its own distribution; `cut_bags` cuts the
rows of a table with classes into bags, and `table_bags` takes the bags of a table that
`read_bags` has read and whose columns name them.

Every file, whatever its format, first becomes a `columns.table.Table` within the limits of `files.limits`. All rules
about missing cells, names and choices apply to that: a new format is one function from bytes to a Table, and a line in
`files.formats`. `files.csv_dialect` infers what separates cells, `columns.number_notation` and `columns.dates` parse
numbers, gaps and dates, `columns.column_roles` decides which columns measure something or name groups, and
`columns.quantity` converts scaled numbers to the file's units.
"""

from .bags import BAGS as BAGS
from .bags import Bags as Bags
from .bags import BagTable as BagTable
from .bags import cut_bags as cut_bags
from .bags import read_bags as read_bags
from .bags import table_bags as table_bags
from .bags import toy_bags as toy_bags
from .columns.treatment import ColumnTreatment as ColumnTreatment
from .common_space import Tables as Tables
from .dataset import DataSet as DataSet
from .dataset import standardise as standardise
from .files.addresses import SeveralTables as SeveralTables
from .mixed_frames import mixed as mixed
from .named_sets.loading import load as load
from .named_sets.registry import REGISTRY as REGISTRY
from .named_sets.registry import Entry as Entry
from .ordering import in_time as in_time
from .read_table import read_table as read_table
from .read_tables import read_tables as read_tables
from .refusal import TableRefusal as TableRefusal
from .string_classes import read_string_classes as read_string_classes
from .string_classes import two_classes as two_classes
from .strings import StringSet as StringSet
from .strings import read_strings as read_strings
from .table_preview import ColumnPreview as ColumnPreview
from .table_preview import TablePreview as TablePreview
from .table_preview import preview_table as preview_table
from .toys.causal import CAUSES as CAUSES
from .toys.causal import causal as causal
from .toys.clouds import CLOUDS as CLOUDS
from .toys.clouds import cloud as cloud
from .toys.contaminated_strings import CONTAMINATIONS as CONTAMINATIONS
from .toys.contaminated_strings import contaminate_strings as contaminate_strings
from .toys.contaminated_strings import contaminate_strings as spoil_strings  # noqa: F401, former name, in copied code
from .toys.dependent_pairs import SHAPES as SHAPES
from .toys.dependent_pairs import shape as shape
from .toys.dependent_pairs import strings_and_numbers as strings_and_numbers
from .toys.domains import CHANGES as CHANGES
from .toys.domains import EFFECTS as EFFECTS
from .toys.domains import density_ratio as density_ratio
from .toys.domains import domain_cloud as domain_cloud
from .toys.domains import domain_pair as domain_pair
from .toys.domains import outcome_laws as outcome_laws
from .toys.domains import outcome_means as outcome_means
from .toys.domains import target_mean as target_mean
from .toys.domains import treated_groups as treated_groups
from .toys.joints import JOINTS as JOINTS
from .toys.joints import joint as joint
from .toys.motions import MOTIONS as MOTIONS
from .toys.motions import motion as motion
from .toys.series import DRIFTS as DRIFTS
from .toys.series import SERIES as SERIES
from .toys.series import drifted as drifted
from .toys.series import series as series
from .toys.splice_like import splice_like as splice_like
from .toys.trees import NODES as NODES
from .toys.trees import TREE as TREE
from .toys.trees import gaussian_tree as gaussian_tree
from .toys.trees import tree_given as tree_given
