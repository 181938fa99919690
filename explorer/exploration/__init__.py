"""`explore`: the controls of an estimator, a kernel or a lab next to its picture, in a notebook or a script.

An estimator and a kernel have widgets of their own and a picture of marks, which `plotting` draws; a lab opens as its
page. Panel is loaded when something is shown.
"""

from .explore import explore as explore
