//! Records of dat files.

use crate::{error::Fault, shared::Shared};
use numpy::PyArray1;
use pyo3::{prelude::*, types::PyBytes};
use std::path::{Path, PathBuf};
use threshold_dat::{
    DatId, Mode,
    container::{DatFile as Container, Editor},
    records::Record,
};

struct Open {
    path: PathBuf,
    /// Absent when it could not be opened again after a change.
    file: Option<Container>,
}

impl Open {
    fn named<T>(&self, result: threshold_dat::Result<T>) -> Result<T, Fault> {
        result.map_err(|error| Fault::Data(format!("{}: {error}", self.path.display())))
    }

    fn reopen(&mut self) -> Result<(), Fault> {
        self.file = Some(self.named(Container::open(&self.path))?);
        Ok(())
    }

    fn file(&self) -> Result<&Container, Fault> {
        self.file.as_ref().ok_or_else(|| Fault::Data(format!("{} is gone", self.path.display())))
    }

    fn entry(&self, id: DatId) -> Result<threshold_dat::container::Entry, Fault> {
        self.named(self.file()?.find(id))?.ok_or_else(|| Fault::not_found(format_args!("record {id}")))
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

/// A dat file, read and written record by record.
#[pyclass(frozen, module = "threshold")]
pub(crate) struct DatFile {
    shared: Shared<Open>,
}

#[pymethods]
impl DatFile {
    #[new]
    fn new(path: PathBuf) -> PyResult<DatFile> {
        let mut open = Open { path, file: None };
        open.reopen()?;
        Ok(DatFile { shared: Shared::new("dat file", open) })
    }

    /// Ids of the records from one to another, ascending.
    #[pyo3(signature = (first = 0, last = 0xFFFF_FFFF))]
    fn ids<'py>(&self, py: Python<'py>, first: u32, last: u32) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let ids = self.shared.run(py, |dat| {
            let entries = dat.file()?.range(DatId(first)..=DatId(last));
            let ids: threshold_dat::Result<Vec<u32>> = entries.map(|entry| Ok(entry?.id.0)).collect();
            dat.named(ids)
        })?;
        Ok(PyArray1::from_vec(py, ids))
    }

    /// The bytes of a record.
    fn read<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.shared.run(py, |dat| {
            let entry = dat.entry(DatId(id))?;
            Ok(dat.named(dat.file()?.read(&entry))?.to_vec())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Stores a record, replacing an existing one; an interrupted write never damages the file.
    fn put(&self, py: Python<'_>, id: u32, record: Vec<u8>) -> PyResult<()> {
        self.shared.run(py, |dat| {
            let id = DatId(id);
            let kind = id.kind(dat.file()?.scheme());
            let decoded = Record::decode(id, kind, &record, Mode::Lenient);
            decoded.map_err(|error| Fault::argument(format!("the bytes are not a {kind}: {error}")))?;
            dat.edit(|path| {
                let mut editor = Editor::open(path)?;
                editor.put(id, &record)?;
                editor.commit()
            })
        })
    }

    /// Removes a record.
    fn remove(&self, py: Python<'_>, id: u32) -> PyResult<()> {
        self.shared.run(py, |dat| {
            let id = dat.entry(DatId(id))?.id;
            dat.edit(|path| {
                let mut editor = Editor::open(path)?;
                editor.remove(id)?;
                editor.commit()
            })
        })
    }

    fn __contains__(&self, id: u32) -> PyResult<bool> {
        self.shared.with(|dat| Ok(dat.named(dat.file()?.find(DatId(id)))?.is_some()))
    }

    fn close(&self) -> PyResult<()> {
        self.shared.close()
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close()
    }
}
