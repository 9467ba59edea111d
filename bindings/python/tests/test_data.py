import pytest

import threshold


@pytest.fixture
def portal(data, tmp_path):
    path = tmp_path / "client_portal.dat"
    path.write_bytes((data / "worlds" / "cottage" / "client_portal.dat").read_bytes())
    return path


def test_records_are_read_written_and_removed(portal):
    with threshold.DatFile(portal) as dat:
        ids = dat.ids(0x02000000, 0x02FFFFFF)
        assert len(ids) > 0 and (ids[1:] > ids[:-1]).all()
        first = int(ids[0])
        record = dat.read(first)
        assert first in dat
        dat.remove(first)
        assert first not in dat
        with pytest.raises(threshold.NotFoundError):
            dat.read(first)
        with pytest.raises(ValueError, match="not a"):
            dat.put(first, record[: len(record) // 2])
        dat.put(first, record)
        assert dat.read(first) == record
    with threshold.DatFile(str(portal)) as again:
        assert again.read(first) == record and len(again.ids()) >= len(ids)


def test_what_is_no_dat_file_is_refused(portal, tmp_path):
    with pytest.raises(threshold.DataError):
        threshold.DatFile(tmp_path / "nothing.dat")
    (tmp_path / "junk.dat").write_bytes(b"junk" * 1000)
    with pytest.raises(threshold.DataError):
        threshold.DatFile(tmp_path / "junk.dat")
    dat = threshold.DatFile(portal)
    dat.close()
    dat.close()
    with pytest.raises(ValueError, match="closed"):
        dat.ids()
