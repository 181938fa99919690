"""LabStudy by the name that copied Python had in earlier versions."""

from explorer.workbench.study import LabStudy as LabStudy
