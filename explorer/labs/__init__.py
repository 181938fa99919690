"""The labs, one folder each; folders that the variable EXPLORER_LABS names, as PATH does, hold further ones."""

import os

from explorer.workbench.study import LabStudy as LabStudy

__path__ += [folder for folder in os.environ.get("EXPLORER_LABS", "").split(os.pathsep) if folder]
