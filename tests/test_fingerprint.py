from edo.history.dataset import fingerprint


def test_every_name_and_byte_counts(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.yaml").write_text("one")
    first = fingerprint([tmp_path])
    assert fingerprint([tmp_path]) == first and len(first) == 12
    (tmp_path / "a" / "x.yaml").write_text("two")
    second = fingerprint([tmp_path])
    (tmp_path / "a" / "x.yaml").rename(tmp_path / "a" / "y.yaml")
    assert len({first, second, fingerprint([tmp_path])}) == 3
