"""`--data`: samples of the state behind the tools become the initial state.

`read_data` makes tables of JSON, CSV and SQLite files, `restore` puts the files together again, `place` says how
tools' parameters and outputs map onto the tables.
"""

from autoforge.generator.data.place import Placement, place
from autoforge.generator.data.read import read_data
from autoforge.generator.data.restore import restore
from autoforge.generator.data.sample import DataSample

__all__ = ["DataSample", "Placement", "place", "read_data", "restore"]
