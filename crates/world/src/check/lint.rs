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

            /// How to fix it.
            pub fn advice(self) -> &'static str {
                match self {
                    $(Lint::$lint => $advice,)*
                }
            }
        }
    };
}

lints! {
    UnreadableRecord, "unreadable-record", Finding, "restore the record from a good copy or write it again";
    MissingRecord, "missing-record", Finding, "add the record, or remove the reference to it";
    CellCount, "cell-count", Finding, "number the cells from 0x100 without gaps and count them in the LandBlockInfo";
    TerrainSeam, "terrain-seam", Finding, "give both blocks the same heights along their common edge";
    PortalTarget, "portal-target", Finding, "name a cell of the same block that exists, or 0xFFFF for the outdoors";
    PortalPolygon, "portal-polygon", Finding, "name a flat, convex polygon of the cell's structure";
    PortalSide, "portal-side", Finding, "flip flag bit 2 of the portal, which says on which side of the polygon the cell lies";
    OneWayPortal, "one-way-portal", Finding, "add the return portal, with both portals naming each other's index; write 0xFFFF where one way is meant";
    PortalIndex, "portal-index", Finding, "set other_portal to the index of the opening on the other side, or 0xFFFF for none";
    PortalsApart, "portals-apart", Finding, "move the cells or polygons so that both sides of the opening coincide, or clear the exact-match flag";
    ExitWithoutBuilding, "exit-without-building", Finding, "give a building of the block a portal to this cell, or close the exit: the cell cannot be entered from outdoors";
    VisibleCell, "visible-cell", Finding, "remove the number from the list, or add the cell";
    UnreachableCell, "unreachable-cell", Finding, "add a portal from another cell or a building, or remove the cell";
    StaticInWrongCell, "static-in-wrong-cell", Finding, "list the object in the cell that contains its origin";
    BuildingInWrongCell, "building-in-wrong-cell", Finding, "list the building in the block it stands in, one for each outdoor cell";
    ShellOpening, "shell-opening", Finding, "let each PORT node of the shell name one polygon and one portal of the building";
    BrokenTree, "broken-tree", Finding, "rebuild the tree from the polygons";
    CellVolume, "cell-volume", Finding, "rebuild the cell tree so that it encloses the cell up to its openings";
    NoPlace, "no-place", Finding, "store finite coordinates";
    NonUnitRotation, "non-unit-rotation", Finding, "store the quaternion with length 1";
    ExitMark, "exit-mark", Note, "write both marks of an exit: flag bit 4 and cell 0xFFFF";
    NotSeenOutside, "not-seen-outside", Note, "set the flag 'seen outside' of a cell with an exit, or the landscape is not loaded there";
    HiddenNeighbour, "hidden-neighbour", Note, "list the neighbour among the visible cells, or it is never drawn from here";
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
        fields.serialize_field("advice", self.lint.advice())?;
        fields.end()
    }
}
