//! Findings.

use crate::Origin;
use serde::{Serialize, Serializer};
use std::fmt;
use threshold_world::{Position, check::Severity};

macro_rules! problems {
    ($($(#[$doc:meta])* $problem:ident, $name:literal, $severity:ident, $advice:literal;)*) => {
        /// A sort of defect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Problem {
            $($(#[$doc])* $problem,)*
        }

        impl Problem {
            /// Every problem.
            pub const ALL: &'static [Problem] = &[$(Problem::$problem,)*];

            /// Name on the command line and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Problem::$problem => $name,)*
                }
            }

            /// Its severity.
            pub fn severity(self) -> Severity {
                match self {
                    $(Problem::$problem => Severity::$severity,)*
                }
            }

            /// How to fix it.
            pub fn advice(self) -> &'static str {
                match self {
                    $(Problem::$problem => $advice,)*
                }
            }
        }
    };
}

problems! {
    /// The game id is used by an earlier row, which counts.
    DuplicateGuid, "duplicate-guid", Finding, "give the object a unique game id, or delete one of the rows";
    /// The object class is not in the files.
    UnknownClass, "unknown-class", Finding, "add the file of the class to --instances, or correct weenie_Class_Id";
    /// The object class has no setup.
    NoSetup, "no-setup", Finding, "give the class a setup (weenie_properties_d_i_d, type 1)";
    /// The setup is missing in the world, or broken.
    UnknownSetup, "unknown-setup", Finding, "name a setup that the dats have, or check with the dats it was made for";
    /// The state word has unknown bits, which are ignored.
    UnknownState, "unknown-state", Finding, "clear the unknown bits (weenie_properties_int, type 93)";
    /// The scale is NaN, infinite or not positive; 1 is used.
    BadScale, "bad-scale", Finding, "set a scale above 0 (weenie_properties_float, type 39)";
    /// The position lies outside the map.
    OffMap, "off-map", Finding, "correct obj_Cell_Id and the origin: the map has blocks 0x0000 to 0xFEFE";
    /// The rotation is invalid; the identity is used.
    BadRotation, "bad-rotation", Finding, "write a rotation of length 1, w first; 1 0 0 0 faces north";
    /// The block is not in the world.
    UnknownBlock, "unknown-block", Finding, "correct obj_Cell_Id, or check with the dats that have the block";
    /// The cell is not in the world.
    UnknownCell, "unknown-cell", Finding, "correct obj_Cell_Id, or check with the dats that have the cell";
    /// The row names no cell; it was found by the position.
    CellFound, "cell-found", Note, "nothing: servers find the cell; write the cell that was found to be exact";
    /// The named cell does not contain the position; it is kept.
    OutsideItsCell, "outside-its-cell", Finding, "write the cell that contains the origin, or move the object";
    /// A link names an object that is not in the files.
    BrokenLink, "broken-link", Finding, "delete the link, or add the row that it names";
    /// An object that another one spawns is linked to none; it is left out.
    Orphan, "orphan", Finding, "link it to the object that spawns it, or set is_Link_Child to False";
    /// A DELETE whose condition is not understood; it removed nothing.
    UnknownDelete, "unknown-delete", Finding, "delete by guid, landblock, obj_Cell_Id or weenie_Class_Id";
    /// A door that is in no opening.
    NoOpening, "no-opening", Finding, "move the door into the opening that it belongs to";
    /// A door that is turned against its opening.
    Turned, "turned", Finding, "turn the door to face through its opening";
    /// A door that leaves a gap in its opening.
    NotFilling, "not-filling", Finding, "move the door to the middle of its opening, or use one of its size";
    /// A door above, below or inside the floor of its opening.
    OffFloor, "off-floor", Finding, "move the door to the floor of its opening";
    /// The object has no support: it is in the air.
    Floating, "floating", Finding, "lower the object to the surface under it";
    /// More than half of the object is below the ground or a floor.
    Buried, "buried", Finding, "raise the object to the ground";
    /// The object is inside a wall, or has no room at its position.
    InWall, "in-wall", Finding, "move the object into the open";
    /// The object overlaps another solid object at rest.
    Overlapping, "overlapping", Finding, "move one of the two objects, or delete it";
    /// A living object in an unreachable place.
    Unreached, "unreached", Finding, "move it to a reachable place, or make its place reachable: threshold reach shows where the region ends";
    /// A door that nobody can walk through, even when it is open.
    LeadsNowhere, "leads-nowhere", Finding, "move the door into an opening, or open what is behind it";
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A defect of one row, or of all rows that share it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// File, as it was given to [`crate::Database::read`].
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// What it is.
    pub problem: Problem,
    /// The object, when the row is about one.
    #[serde(serialize_with = "hex", skip_serializing_if = "Option::is_none")]
    pub guid: Option<u32>,
    /// The object's class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<u32>,
    /// The object's name: from its class, else from the comment after its row.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How many rows have it, this one included.
    pub rows: u32,
    /// Where the row puts the object.
    #[serde(serialize_with = "loc", skip_serializing_if = "Option::is_none")]
    pub at: Option<Position>,
    /// Metres by which the object is off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub off: Option<f32>,
    /// Where the object would be right.
    #[serde(serialize_with = "loc", skip_serializing_if = "Option::is_none")]
    pub fix: Option<Position>,
    /// Details.
    pub message: String,
}

impl Finding {
    /// A defect of one row, about no object yet.
    pub fn new(at: &Origin, problem: Problem, message: impl Into<String>) -> Finding {
        Finding {
            file: at.file.to_string(),
            line: at.line,
            problem,
            guid: None,
            class: None,
            name: String::new(),
            rows: 1,
            at: None,
            off: None,
            fix: None,
            message: message.into(),
        }
    }

    /// The order of findings: by file and line.
    pub fn order(&self, other: &Finding) -> std::cmp::Ordering {
        let key = |finding: &Finding| (finding.line, finding.guid, finding.problem);
        self.file
            .cmp(&other.file)
            .then_with(|| key(self).cmp(&key(other)))
            .then_with(|| self.message.cmp(&other.message))
    }
}

fn hex<S: Serializer>(guid: &Option<u32>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("0x{:08X}", guid.unwrap_or_default()))
}

fn loc<S: Serializer>(position: &Option<Position>, serializer: S) -> Result<S::Ok, S::Error> {
    position.map(|position| position.to_string()).serialize(serializer)
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: ", self.file, self.line, self.problem)?;
        match (self.guid, self.name.as_str()) {
            (Some(guid), "") => write!(f, "0x{guid:08X}: ")?,
            (Some(guid), name) => write!(f, "0x{guid:08X} {name}: ")?,
            (None, _) => {}
        }
        f.write_str(&self.message)?;
        if self.rows > 1 {
            write!(f, " ({} rows)", self.rows)?;
        }
        Ok(())
    }
}
