"""Page of the report: the user drops two files, or one with groups, and the report shows how they differ."""

from .page import ReportPage as ReportPage
