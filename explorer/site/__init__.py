"""The site: essays, widgets, a gallery, the reference, the lessons and the labs as files that any static host serves.

`build` writes it. A section is a module, or a folder, of that name with

    def write(source: Path, fast: bool) -> None

which writes documents into `source/<section>/`, and what is finished, such as a living page, into
`source/_extra/<section>/`. Sphinx makes pages of the documents, with one search and one look for all.
"""
