"""The site: essays, widgets, a gallery, the reference, the lessons and the labs as files for any static host.

`build` writes it. A section is a module or a package of this folder with a function

    def write(source: Path, fast: bool) -> None

that writes documents into `source/<section>/`. It writes finished files, such as the page of a lab, into
`source/_extra/<section>/`. Sphinx makes pages of the documents, with one search and one theme for all.
"""
