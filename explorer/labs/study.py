"""LabStudy under the module name that Python code copied from earlier versions imports."""

from explorer.workbench.study import LabStudy as LabStudy
