//! Records of dat files.

use crate::{
    fault::{Fault, ThStatus, guarded},
    handles::{self, DATS, ThDat, number},
    memory::{Out, OutArray, read_array, read_text},
};
use std::path::{Path, PathBuf};
use threshold_dat::{
    DatId, Mode,
    container::{DatFile, Editor},
    records::Record,
};

/// What a handle names.
pub(crate) struct Dat {
    path: PathBuf,
    /// Absent when it could not be opened again after a change.
    file: Option<DatFile>,
}

impl Dat {
    fn open(path: PathBuf) -> Result<Dat, Fault> {
        let mut dat = Dat { path, file: None };
        dat.reopen()?;
        Ok(dat)
    }

    fn named<T>(&self, result: threshold_dat::Result<T>) -> Result<T, Fault> {
        result.map_err(|error| Fault::new(ThStatus::Data, format!("{}: {error}", self.path.display())))
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.file = Some(self.named(DatFile::open(&self.path))?);
        Ok(())
    }

    fn file(&self) -> Result<&DatFile, Fault> {
        let gone = || Fault::new(ThStatus::Data, format!("{} is gone", self.path.display()));
        self.file.as_ref().ok_or_else(gone)
    }

    /// Changes the file as a whole: it is as it was before, or as it is after.
    fn edit(&mut self, change: impl FnOnce(&Path) -> threshold_dat::Result<()>) -> Result<(), Fault> {
        // A file that is mapped cannot be replaced everywhere.
        self.file = None;
        let edited = self.named(change(&self.path));
        self.reopen()?;
        edited
    }
}

fn with_dat(dat: *mut ThDat, work: impl FnOnce(&mut Dat) -> Result<(), Fault>) -> ThStatus {
    guarded(|| DATS.with(number(dat), work))
}

/// Opens a dat file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_dat_open(path: *const u8, length: u32, dat: *mut *mut ThDat) -> ThStatus {
    guarded(|| {
        // SAFETY: the caller keeps the rules of the header.
        let (path, out) = unsafe { (read_text(path, length, "path")?, Out::new(dat, "dat")?) };
        let number = DATS.open(Dat::open(path.into())?)?;
        out.set(handles::handle(number));
        Ok(())
    })
}

/// Closes a dat file. Its handle is invalid afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn th_dat_close(dat: *mut ThDat) -> ThStatus {
    guarded(|| DATS.close(number(dat)))
}

/// Ids of the records from `first` to `last`, ascending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_dat_ids(
    dat: *mut ThDat,
    first: u32,
    last: u32,
    ids: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_dat(dat, |dat| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(ids, capacity, count)? };
        let entries = dat.file()?.range(DatId(first)..=DatId(last));
        let found: threshold_dat::Result<Vec<u32>> = entries.map(|entry| Ok(entry?.id.0)).collect();
        out.set(&dat.named(found)?)
    })
}

/// The bytes of a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_dat_read(
    dat: *mut ThDat,
    id: u32,
    bytes: *mut u8,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_dat(dat, |dat| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(bytes, capacity, count)? };
        let file = dat.file()?;
        let entry = dat.named(file.find(DatId(id)))?;
        let entry = entry.ok_or_else(|| Fault::not_found(format_args!("record {id:08X}")))?;
        out.set(&dat.named(file.read(&entry))?)
    })
}

/// Stores a record, replacing an existing one. The bytes must be a valid record of the kind that the id implies. An
/// interrupted write never damages the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_dat_put(dat: *mut ThDat, id: u32, bytes: *const u8, count: u32) -> ThStatus {
    with_dat(dat, |dat| {
        // SAFETY: the caller keeps the rules of the header.
        let bytes = unsafe { read_array(bytes, count, "bytes")? };
        let id = DatId(id);
        let kind = id.kind(dat.file()?.scheme());
        let decoded = Record::decode(id, kind, &bytes, Mode::Lenient);
        decoded.map_err(|error| Fault::argument(format!("the bytes are not a {kind}: {error}")))?;
        dat.edit(|path| {
            let mut editor = Editor::open(path)?;
            editor.put(id, &bytes)?;
            editor.commit()
        })
    })
}

/// Removes a record.
#[unsafe(no_mangle)]
pub extern "C" fn th_dat_remove(dat: *mut ThDat, id: u32) -> ThStatus {
    with_dat(dat, |dat| {
        let id = DatId(id);
        if dat.named(dat.file()?.find(id))?.is_none() {
            return Err(Fault::not_found(format_args!("record {id}")));
        }
        dat.edit(|path| {
            let mut editor = Editor::open(path)?;
            editor.remove(id)?;
            editor.commit()
        })
    })
}
