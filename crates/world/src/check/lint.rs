//! The lints, and how to fix their findings.

#[cfg(feature = "serde")]
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::fmt;
use threshold_dat::DatId;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Severity {
    /// The engine omits something or behaves in a way that the author cannot have intended.
    Finding,
    /// Allowed and found in good data, but worth a look.
    Note,
}

macro_rules! lints {
    ($($lint:ident, $name:literal, $severity:ident, $advice:literal;)*) => {
        /// A sort of defect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // The advice says what each is.
        #[non_exhaustive]
        pub enum Lint {
            $($lint,)*
        }

        impl Lint {
            /// Every lint.
            pub const ALL: &'static [Lint] = &[$(Lint::$lint,)*];

            /// Name on the command line and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Lint::$lint => $name,)*
                }
            }

            /// Its severity.
            pub fn severity(self) -> Severity {
                match self {
                    $(Lint::$lint => Severity::$severity,)*
                }
            }

            /// What to do about it: a command, or a field to change. `ID` stands for the record.
            pub fn advice(self) -> &'static str {
                match self {
                    $(Lint::$lint => $advice,)*
                }
            }
        }
    };
}

lints! {
    UnreadableRecord, "unreadable-record", Finding, "restore it from a good copy: `threshold dat get GOOD.dat ID | threshold dat put FILE.dat ID -`";
    MissingRecord, "missing-record", Finding, "add the record with `threshold dat put`, or remove what names it from ID";
    CellCount, "cell-count", Finding, "number the cells from 0x100 without gaps, and set the cell count of ID";
    TerrainSeam, "terrain-seam", Finding, "give ID and its neighbour the same heights along their common edge";
    PortalTarget, "portal-target", Finding, "set other_cell to a cell of the same block that exists, or to 0xFFFF for the outdoors; `threshold visible --write` does it where the other side is certain";
    PortalPolygon, "portal-polygon", Finding, "set the portal's polygon to a flat, convex one of the cell's structure";
    PortalSide, "portal-side", Finding, "turn bit 2 of the portal's flags, the side on which the cell lies; `threshold visible --write` does it where the whole cell is on one side";
    OneWayPortal, "one-way-portal", Finding, "add the return portal, with each other_portal the index of the other; `threshold visible --write` does it where exactly one opening fits";
    PortalIndex, "portal-index", Finding, "set other_portal to the index of the opening on the other side, or to 0xFFFF for none; `threshold visible --write` does it where exactly one opening fits";
    PortalsApart, "portals-apart", Finding, "move the cells or polygons so that both sides of the opening coincide, or clear bit 1 of the portal's flags";
    ExitWithoutBuilding, "exit-without-building", Finding, "give a building of the block a portal whose other_cell is this one, or close the exit: nobody outdoors can come in here";
    VisibleCell, "visible-cell", Finding, "remove the number from the list, or add the cell; `threshold visible --write` computes all lists anew";
    UnreachableCell, "unreachable-cell", Finding, "set other_cell of a portal of another cell or of a building to ID, or `threshold dat rm FILE.dat ID`";
    StaticInWrongCell, "static-in-wrong-cell", Finding, "move the object to the list of the cell that contains its origin, or correct the origin";
    BuildingInWrongCell, "building-in-wrong-cell", Finding, "list the building in the block it stands in, one for each outdoor cell";
    ShellOpening, "shell-opening", Finding, "let each PORT node of the shell name one polygon and one portal of the building";
    BrokenTree, "broken-tree", Finding, "build the tree of ID again from its polygons";
    CellVolume, "cell-volume", Finding, "build the cell tree of the structure again, so that it encloses the cell up to its openings";
    NoPlace, "no-place", Finding, "store finite coordinates in the frame's origin";
    NonUnitRotation, "non-unit-rotation", Finding, "store the frame's quaternion with length 1";
    ExitMark, "exit-mark", Note, "write both marks of an exit: bit 4 of the portal's flags and other_cell 0xFFFF";
    NotSeenOutside, "not-seen-outside", Note, "set bit 1 of the cell's flags, 'seen outside', or the landscape is not loaded there";
    HiddenNeighbour, "hidden-neighbour", Note, "list the neighbour among the visible cells, or it is never drawn from here: `threshold visible --write`";
    InexactPortal, "inexact-portal", Note, "nothing, when the openings are meant to differ";
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A defect and where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The record at fault.
    pub id: DatId,
    /// The sort of defect.
    pub lint: Lint,
    /// Details, with the ids and numbers that disagree.
    pub what: String,
}

impl Finding {
    /// What to do about it: a command, or a field to change.
    pub fn advice(&self) -> String {
        self.lint.advice().replace("ID", &self.id.to_string())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.id, self.lint, self.what)
    }
}

#[cfg(feature = "serde")]
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Finding", 5)?;
        fields.serialize_field("id", &self.id)?;
        fields.serialize_field("lint", self.lint.name())?;
        fields.serialize_field("severity", &self.lint.severity())?;
        fields.serialize_field("message", &self.what)?;
        fields.serialize_field("advice", &self.advice())?;
        fields.end()
    }
}
