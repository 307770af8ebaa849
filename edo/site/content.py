"""The folder of the texts in; everything in it read, and the input of a site with it, out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from edo import __version__
from edo.core.model import Dataset
from edo.history.change_list import Change, read_changes
from edo.history.dataset import fingerprint
from edo.history.site_config import Imprint, read_imprint
from edo.rating.edo import Ratings
from edo.site import render
from edo.site.input import SiteInput
from edo.systems.evaluation.contest import Contest, read_contest
from edo.systems.evaluation.tuning import Tuning, read_tuning


@dataclass(frozen=True, slots=True)
class ContentFolder:
    """What stands in `folder`; the fields are those of `SiteInput`."""

    folder: Path
    content: Mapping[str, str]
    imprint: Imprint
    changes: tuple[Change, ...]
    tuning: Tuning | None
    contest: Contest | None

    def site(self, events: Path, dataset: Dataset, ratings: Ratings) -> SiteInput:
        """Return the input of a site of the history in the folder `events`, nothing asked yet."""
        return SiteInput(
            dataset,
            ratings,
            content=self.content,
            base_url=None,
            fingerprint=fingerprint([events, self.folder]),
            version=__version__,
            imprint=self.imprint,
            changes=self.changes,
            tuning=self.tuning,
            contest=self.contest,
        )


def read_folder(folder: Path) -> ContentFolder:
    """Return what stands in the folder of the texts; raises EdoError where it has errors."""
    return ContentFolder(
        folder,
        render.read_content(folder),
        read_imprint(folder),
        read_changes(folder),
        read_tuning(folder),
        read_contest(folder),
    )
