//! Rows of the relevant tables, in file order.

use crate::{
    Finding, Problem, SqlError,
    rows::{Instances, Link, Links},
    sql::{self, Condition, Event, Reader, Value},
    text,
};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

pub(crate) const INSTANCE: &str = "landblock_instance";
const LINK: &str = "landblock_instance_link";
const WEENIE: &str = "weenie";
const INT: &str = "weenie_properties_int";
const BOOL: &str = "weenie_properties_bool";
const FLOAT: &str = "weenie_properties_float";
const DID: &str = "weenie_properties_d_i_d";
const STRING: &str = "weenie_properties_string";
const POSITION: &str = "weenie_properties_position";
const GENERATOR: &str = "weenie_properties_generator";
const TABLES: &[&str] = &[INSTANCE, LINK, WEENIE, INT, BOOL, FLOAT, DID, STRING, POSITION, GENERATOR];

/// File and line of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Name of the file.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
}

/// An object in the world: a row of `landblock_instance`.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Game id.
    pub guid: u32,
    /// Its class.
    pub class: u32,
    /// Its position.
    pub spot: Spot,
    /// Spawned by its parent, not when the block loads.
    pub is_link_child: bool,
    /// The comment behind its row, which most files have for a name.
    pub comment: Option<String>,
    /// Where its row is.
    pub at: Origin,
}

/// Kinds of object classes that the engine treats apart. Retail: `WeenieType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassKind {
    /// Type 19.
    Door,
    /// Type 20.
    Chest,
    /// Type 7.
    Portal,
    /// Type 10.
    Creature,
    /// Any other.
    Other(u32),
}

impl From<u32> for ClassKind {
    fn from(kind: u32) -> Self {
        match kind {
            7 => ClassKind::Portal,
            10 => ClassKind::Creature,
            19 => ClassKind::Door,
            20 => ClassKind::Chest,
            other => ClassKind::Other(other),
        }
    }
}

/// An object class with its properties by type number: a row of `weenie` and its related rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Class {
    /// Name of the class; `None` when only properties of it are in the files.
    pub name: Option<String>,
    /// Type number.
    pub kind: u32,
    /// Integers.
    pub ints: BTreeMap<u32, u32>,
    /// Yes or no.
    pub bools: BTreeMap<u32, bool>,
    /// Floats.
    pub floats: BTreeMap<u32, f32>,
    /// Record ids.
    pub records: BTreeMap<u32, u32>,
    /// Strings.
    pub strings: BTreeMap<u32, String>,
    /// Places.
    pub places: BTreeMap<u32, Spot>,
    /// Its generators, in row order.
    pub generators: Vec<Generator>,
}

/// A generator of a class: a row of `weenie_properties_generator`.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// The generated class.
    pub class: u32,
    /// Below 0 for certain, else the part of the chances up to and with this row.
    pub probability: f32,
    /// How many there are at first.
    pub initial: u32,
    /// Where.
    pub place: Where,
    /// The place for [`Where::Specific`]; without a cell, metres from the maker.
    pub spot: Spot,
}

/// Where a generator places its objects. Retail: `RegenLocationType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// At the generator (1).
    OnTop,
    /// At a given place (4).
    Specific,
    /// Scattered, or in a character's pack or hands.
    Elsewhere,
}

impl From<u32> for Where {
    fn from(number: u32) -> Where {
        match number {
            1 => Where::OnTop,
            4 => Where::Specific,
            _ => Where::Elsewhere,
        }
    }
}

/// A place as rows have it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// Cell id; the low word may be 0.
    pub cell: u32,
    /// Block coordinates.
    pub origin: [f32; 3],
    /// Rotation, w first, as stored.
    pub angles: [f32; 4],
}

impl Class {
    /// What kind of thing it is.
    pub fn kind(&self) -> ClassKind {
        self.kind.into()
    }

    /// The generators whose result does not depend on chance.
    pub fn certain_generators(&self) -> impl Iterator<Item = &Generator> {
        let first = self.generators.iter().take(1).filter(|generator| generator.probability >= 1.0);
        let always = self.generators.iter().filter(|generator| generator.probability < 0.0);
        first.chain(always).filter(|generator| generator.initial > 0)
    }

    /// Whether a boolean property is present and true.
    pub fn is(&self, property: u32) -> bool {
        self.bools.get(&property).copied().unwrap_or(false)
    }
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// It is not the SQL it should be.
    #[error("{0}: {1}")]
    Sql(PathBuf, SqlError),
}

/// The contents of the files.
#[derive(Clone, Debug, Default)]
pub struct Database {
    instances: Instances,
    links: Links,
    classes: BTreeMap<u32, Class>,
    findings: Vec<Finding>,
    /// Rows that were read, whatever became of them.
    rows: usize,
}

impl Database {
    /// An empty database.
    pub fn new() -> Database {
        Database::default()
    }

    /// Applies the statements of a file; reports call it `name`. Deletions remove rows of earlier statements, in this file or
    /// another. On an error, everything before the line has been applied.
    pub fn read(&mut self, name: &str, text: &str) -> Result<(), SqlError> {
        let file: Arc<str> = name.into();
        let mut reader = Reader::new(text, TABLES);
        while let Some(event) = reader.next()? {
            match event {
                Event::Row { table, columns, row } => {
                    let line = row.line;
                    let row = Row { columns: &columns, row: &row };
                    self.insert(table, &row, &Origin { file: file.clone(), line })?;
                }
                Event::Delete { table, condition, line } => {
                    self.delete(table, &condition, &Origin { file: file.clone(), line })?;
                }
            }
        }
        Ok(())
    }

    /// Reads files in order.
    pub fn open(files: &[PathBuf]) -> Result<Database, FileError> {
        let mut database = Database::new();
        for file in files {
            database.read_file(file)?;
        }
        Ok(database)
    }

    /// Applies the statements of a file like [`Database::read`], and returns how many rows about objects and classes it had.
    /// Text is UTF-8 or UTF-16; text in other encodings may be displayed wrongly, but is otherwise harmless.
    pub fn read_file(&mut self, file: &Path) -> Result<usize, FileError> {
        let bytes = fs::read(file).map_err(|error| FileError::Io(file.to_owned(), error))?;
        let before = self.rows;
        let read = self.read(&file.display().to_string(), &text::decode(&bytes));
        read.map_err(|error| FileError::Sql(file.to_owned(), error))?;
        Ok(self.rows - before)
    }

    /// Objects in order of their ids.
    pub fn instances(&self) -> impl Iterator<Item = &Instance> {
        self.instances.iter()
    }

    /// Pairs of a parent and a child, with the row that ties them.
    pub fn links(&self) -> impl Iterator<Item = (u32, u32, &Origin)> {
        self.links.iter().map(|link| (link.parent, link.child, &link.at))
    }

    /// The object with a game id.
    pub fn instance(&self, guid: u32) -> Option<&Instance> {
        self.instances.get(guid)
    }

    /// An object class.
    pub fn class(&self, id: u32) -> Option<&Class> {
        self.classes.get(&id).filter(|class| class.name.is_some())
    }

    /// Object classes by id.
    pub fn classes(&self) -> impl Iterator<Item = (u32, &Class)> {
        self.classes.iter().filter(|(_, class)| class.name.is_some()).map(|(&id, class)| (id, class))
    }

    /// What was wrong with the rows themselves.
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn insert(&mut self, table: &str, row: &Row<'_>, at: &Origin) -> Result<(), SqlError> {
        self.rows += 1;
        match table {
            INSTANCE => self.insert_instance(row, at)?,
            LINK => {
                let (parent, child) = (row.id("parent_GUID")?, row.id("child_GUID")?);
                self.links.push(Link { parent, child, at: at.clone() });
            }
            WEENIE => {
                let class = self.classes.entry(row.id("class_Id")?).or_default();
                class.kind = row.id("type")?;
                class.name = Some(row.value("class_Name")?.text(row.line(), "class_Name")?);
            }
            POSITION => {
                let class = self.classes.entry(row.id("object_Id")?).or_default();
                class.places.insert(row.id("position_Type")?, row.spot()?);
            }
            GENERATOR => {
                let generator = Generator {
                    class: row.id("weenie_Class_Id")?,
                    probability: row.float("probability")?,
                    initial: row.id("init_Create")?,
                    place: row.id("where_Create")?.into(),
                    spot: row.spot()?,
                };
                self.classes.entry(row.id("object_Id")?).or_default().generators.push(generator);
            }
            _ => self.insert_property(table, row)?,
        }
        Ok(())
    }

    fn insert_instance(&mut self, row: &Row<'_>, at: &Origin) -> Result<(), SqlError> {
        let instance = Instance {
            guid: row.id("guid")?,
            class: row.id("weenie_Class_Id")?,
            spot: row.spot()?,
            is_link_child: match row.find("is_Link_Child") {
                Some(value) => value.flag(row.line(), "is_Link_Child")?,
                None => false,
            },
            comment: row.row.comment.map(str::to_owned),
            at: at.clone(),
        };
        let guid = instance.guid;
        if let Some(earlier) = self.instances.get(guid) {
            let message = format!("stands in {} line {} already", earlier.at.file, earlier.at.line);
            let mut finding = Finding::new(at, Problem::DuplicateGuid, message);
            (finding.guid, finding.class) = (Some(guid), Some(instance.class));
            finding.name = instance.comment.unwrap_or_default();
            self.findings.push(finding);
        } else {
            self.instances.insert(instance);
        }
        Ok(())
    }

    fn insert_property(&mut self, table: &str, row: &Row<'_>) -> Result<(), SqlError> {
        let kind = row.id("type")?;
        let value = row.value("value")?;
        let class = self.classes.entry(row.id("object_Id")?).or_default();
        match table {
            INT => {
                class.ints.insert(kind, value.id(row.line(), "value")?);
            }
            BOOL => {
                class.bools.insert(kind, value.flag(row.line(), "value")?);
            }
            FLOAT => {
                class.floats.insert(kind, value.float(row.line(), "value")?);
            }
            DID => {
                class.records.insert(kind, value.id(row.line(), "value")?);
            }
            _ => {
                class.strings.insert(kind, value.text(row.line(), "value")?);
            }
        }
        Ok(())
    }

    fn delete(&mut self, table: &str, condition: &Condition<'_>, at: &Origin) -> Result<(), SqlError> {
        let (column, values) = match condition {
            Condition::All => ("", Vec::new()),
            Condition::OneOf { column, values } => {
                let ids = values.iter().map(|value| value.id(at.line, column));
                (*column, ids.collect::<Result<Vec<u32>, _>>()?)
            }
            Condition::Other => ("?", Vec::new()),
        };
        let each = values.iter().copied();
        match (table, column.to_ascii_lowercase().as_str()) {
            (INSTANCE, "") => self.instances.clear(),
            (INSTANCE, "guid") => each.for_each(|guid| self.instances.remove(guid)),
            (INSTANCE, "landblock") => each.for_each(|block| self.instances.remove_block(block)),
            (INSTANCE, "obj_cell_id") => each.for_each(|cell| self.instances.remove_cell(cell)),
            (INSTANCE, "weenie_class_id") => each.for_each(|class| self.instances.remove_class(class)),
            (LINK, "") => self.links.clear(),
            (LINK, "parent_guid") => each.for_each(|guid| self.links.remove_parent(guid)),
            (LINK, "child_guid") => each.for_each(|guid| self.links.remove_child(guid)),
            (WEENIE, "") => self.classes.clear(),
            // Properties go with their class.
            (WEENIE, "class_id") => each.for_each(|id| drop(self.classes.remove(&id))),
            (INT | BOOL | FLOAT | DID | STRING | POSITION | GENERATOR, "object_id") => {
                for id in each {
                    if let Some(class) = self.classes.get_mut(&id) {
                        class.clear(table);
                    }
                }
            }
            _ => {
                let message = format!("rows of {table} by an unknown condition");
                self.findings.push(Finding::new(at, Problem::UnknownDelete, message));
            }
        }
        Ok(())
    }
}

impl Class {
    fn clear(&mut self, table: &str) {
        match table {
            INT => self.ints.clear(),
            BOOL => self.bools.clear(),
            FLOAT => self.floats.clear(),
            DID => self.records.clear(),
            POSITION => self.places.clear(),
            GENERATOR => self.generators.clear(),
            _ => self.strings.clear(),
        }
    }
}

/// A row, looked at by column names.
pub(crate) struct Row<'a> {
    pub(crate) columns: &'a [&'a str],
    pub(crate) row: &'a sql::Row<'a>,
}

impl Row<'_> {
    /// Which of the values is that of a column.
    pub(crate) fn index(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|name| name.eq_ignore_ascii_case(column))
    }

    fn find(&self, column: &str) -> Option<&Value<'_>> {
        self.row.values.get(self.index(column)?)
    }

    fn line(&self) -> u32 {
        self.row.line
    }

    fn value(&self, column: &str) -> Result<&Value<'_>, SqlError> {
        self.find(column).ok_or_else(|| SqlError::new(self.line(), format!("there is no column {column}")))
    }

    pub(crate) fn id(&self, column: &str) -> Result<u32, SqlError> {
        self.value(column)?.id(self.line(), column)
    }

    fn float(&self, column: &str) -> Result<f32, SqlError> {
        self.value(column)?.float(self.line(), column)
    }

    pub(crate) fn spot(&self) -> Result<Spot, SqlError> {
        Ok(Spot {
            cell: self.id("obj_Cell_Id")?,
            origin: [self.float("origin_X")?, self.float("origin_Y")?, self.float("origin_Z")?],
            angles: [
                self.float("angles_W")?,
                self.float("angles_X")?,
                self.float("angles_Y")?,
                self.float("angles_Z")?,
            ],
        })
    }
}
