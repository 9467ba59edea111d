//! What was found, for people and as JSON.

use anyhow::Result;
use serde::Serialize;
use std::{
    io::{BufWriter, Write, stdout},
    path::PathBuf,
};
use threshold_dat::DatId;
use threshold_world::check::{BlockLists, Finding, Repair, VisibleList};

/// Cells of a list that are shown to people.
const SHOWN_CELLS: usize = 12;

/// The object that `--json` prints.
#[derive(Serialize)]
pub(super) struct Report {
    blocks: usize,
    cells: usize,
    /// Entries of all lists in the file.
    entries: usize,
    /// Entries as computed.
    computed: usize,
    missing: usize,
    superfluous: usize,
    /// Lists with something missing, and with something superfluous.
    lists_with_missing: usize,
    lists_with_superfluous: usize,
    /// Openings for which more is listed than can be seen, as an exact answer takes too long.
    coarse: usize,
    lists: Vec<List>,
    repair_count: usize,
    repairs: Vec<PortalRepair>,
    uncertain_count: usize,
    uncertain: Vec<Finding>,
    unwritable: Vec<Unwritable>,
    #[serde(serialize_with = "written")]
    pub(super) written: Option<(PathBuf, usize)>,
    #[serde(skip)]
    limit: usize,
}

fn written<S: serde::Serializer>(
    written: &Option<(PathBuf, usize)>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Written<'w> {
        file: std::borrow::Cow<'w, str>,
        records: usize,
    }
    let told =
        written.as_ref().map(|(file, records)| Written { file: file.to_string_lossy(), records: *records });
    told.serialize(serializer)
}

#[derive(Serialize)]
struct List {
    id: DatId,
    #[serde(skip_serializing_if = "Option::is_none")]
    building: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    portal: Option<usize>,
    missing: Vec<DatId>,
    superfluous: Vec<DatId>,
}

#[derive(Serialize)]
struct PortalRepair {
    id: DatId,
    #[serde(skip_serializing_if = "Option::is_none")]
    building: Option<usize>,
    portal: usize,
    found: String,
    right: String,
    #[serde(skip)]
    text: String,
}

#[derive(Serialize)]
struct Unwritable {
    id: DatId,
    why: String,
}

impl From<VisibleList> for List {
    fn from(list: VisibleList) -> List {
        let full = |low: &u16| DatId(list.id.0 & 0xFFFF_0000 | u32::from(*low));
        List {
            id: list.id,
            building: list.door.map(|(building, _)| building),
            portal: list.door.map(|(_, portal)| portal),
            missing: list.missing.iter().map(full).collect(),
            superfluous: list.superfluous.iter().map(full).collect(),
        }
    }
}

impl From<Repair> for PortalRepair {
    fn from(repair: Repair) -> PortalRepair {
        let Repair { id, building, portal, found, right } = &repair;
        PortalRepair {
            id: *id,
            building: *building,
            portal: *portal,
            found: found.to_string(),
            right: right.to_string(),
            text: repair.to_string(),
        }
    }
}

impl Report {
    pub(super) fn new(blocks: usize, limit: usize) -> Report {
        Report {
            blocks,
            cells: 0,
            entries: 0,
            computed: 0,
            missing: 0,
            superfluous: 0,
            lists_with_missing: 0,
            lists_with_superfluous: 0,
            coarse: 0,
            lists: Vec::new(),
            repair_count: 0,
            repairs: Vec::new(),
            uncertain_count: 0,
            uncertain: Vec::new(),
            unwritable: Vec::new(),
            written: None,
            limit,
        }
    }

    pub(super) fn add(&mut self, found: BlockLists) {
        self.cells += found.cells;
        self.entries += found.entries[0];
        self.computed += found.entries[1];
        self.coarse += found.coarse;
        for list in found.lists {
            self.missing += list.missing.len();
            self.superfluous += list.superfluous.len();
            self.lists_with_missing += usize::from(!list.missing.is_empty());
            self.lists_with_superfluous += usize::from(!list.superfluous.is_empty());
            if self.lists.len() < self.limit {
                self.lists.push(list.into());
            }
        }
        self.repair_count += found.repairs.len();
        self.uncertain_count += found.uncertain.len();
        let room = |shown: usize| self.limit.saturating_sub(shown);
        self.repairs.extend(found.repairs.into_iter().take(room(self.repairs.len())).map(PortalRepair::from));
        self.uncertain.extend(found.uncertain.into_iter().take(room(self.uncertain.len())));
        self.unwritable.extend(found.unwritable.into_iter().map(|(id, why)| Unwritable { id, why }));
    }

    /// Whether nothing is left to be done.
    pub(super) fn is_good(&self) -> bool {
        let is_done = self.written.is_some() || (self.missing == 0 && self.repair_count == 0);
        is_done && self.uncertain_count == 0 && self.unwritable.is_empty()
    }

    pub(super) fn print_json(&self) -> Result<()> {
        let mut out = BufWriter::new(stdout().lock());
        serde_json::to_writer_pretty(&mut out, self)?;
        writeln!(out)?;
        Ok(out.flush()?)
    }

    /// The summary, then each list, then portals.
    pub(super) fn print(&self) -> Result<()> {
        let mut out = BufWriter::new(stdout().lock());
        let Report { blocks, cells, entries, computed, missing, superfluous, .. } = self;
        writeln!(
            out,
            "{cells} interior cells in {blocks} blocks: {entries} entries of visible cells, {computed} computed; \
             {missing} missing in {} lists, {superfluous} superfluous in {}",
            self.lists_with_missing, self.lists_with_superfluous
        )?;
        if self.repair_count + self.uncertain_count > 0 {
            let counts = (self.repair_count, self.uncertain_count);
            writeln!(
                out,
                "portals: {} fields can be set right, {} findings are for you to decide",
                counts.0, counts.1
            )?;
        }
        if self.coarse > 0 {
            writeln!(
                out,
                "{} openings were followed coarsely: more is listed there than can be seen",
                self.coarse
            )?;
        }
        match &self.written {
            Some((file, records)) => {
                writeln!(out, "{}: written, with {records} changed records", file.display())?
            }
            None if self.missing + self.superfluous + self.repair_count > 0 => {
                writeln!(out, "--write OUT.dat writes a copy of the cell file with all of this corrected")?;
            }
            None => {}
        }
        for list in &self.lists {
            let door = list.building.zip(list.portal);
            let door = door.map_or(String::new(), |(b, p)| format!(" building {b}, portal {p}"));
            for (word, cells) in [("missing", &list.missing), ("superfluous", &list.superfluous)] {
                if !cells.is_empty() {
                    writeln!(out, "{}{door} {word}: {}", list.id, numbers(cells))?;
                }
            }
        }
        let hidden =
            (self.lists_with_missing.max(self.lists_with_superfluous)).saturating_sub(self.lists.len());
        if hidden > 0 {
            writeln!(out, "and more lists (--limit shows them)")?;
        }
        for repair in &self.repairs {
            writeln!(out, "{}", repair.text)?;
        }
        for finding in &self.uncertain {
            writeln!(out, "{finding}\n    to do: {}", finding.advice())?;
        }
        for Unwritable { id, why } in &self.unwritable {
            writeln!(out, "{id} cannot be changed: {why}")?;
        }
        Ok(out.flush()?)
    }
}

fn numbers(cells: &[DatId]) -> String {
    let shown: Vec<String> =
        cells.iter().take(SHOWN_CELLS).map(|id| format!("{:04X}", id.0 & 0xFFFF)).collect();
    let more = cells.len().saturating_sub(SHOWN_CELLS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(" ") + &more
}
