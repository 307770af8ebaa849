"""The fingerprint of the data: every name and byte of them counts, and nothing else."""

from dataclasses import replace
from pathlib import Path

from edo.history.dataset import fingerprint
from edo.history.settings import DEFAULT


def test_every_name_and_byte_and_setting_counts(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.yaml").write_text("one")
    first = fingerprint(tmp_path, DEFAULT)
    assert fingerprint(tmp_path, DEFAULT) == first and len(first) == 12
    (tmp_path / "a" / "x.yaml").write_text("two")
    second = fingerprint(tmp_path, DEFAULT)
    (tmp_path / "a" / "x.yaml").rename(tmp_path / "a" / "y.yaml")
    third = fingerprint(tmp_path, DEFAULT)
    fourth = fingerprint(tmp_path, replace(DEFAULT, self_games=31.0))
    assert len({first, second, third, fourth}) == 4
