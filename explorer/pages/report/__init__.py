"""The report as a page: two files, or one with groups, are dropped, and what differs between them fills in."""

from .page import ReportPage as ReportPage
