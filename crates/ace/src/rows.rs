//! Rows that are deleted as they are in a database: by the value of a column, without a look at all the others.

use crate::{Instance, Origin};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

/// The rows of `landblock_instance`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instances {
    rows: BTreeMap<u32, Instance>,
    /// Cells, whose upper halves are blocks, with the ids of what stands in them.
    by_cell: Index,
    by_class: Index,
}

impl Instances {
    /// The row with a game id.
    pub(crate) fn get(&self, guid: u32) -> Option<&Instance> {
        self.rows.get(&guid)
    }

    /// All rows in order of their ids.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Instance> {
        self.rows.values()
    }

    /// Adds a row whose id is not there yet.
    pub(crate) fn insert(&mut self, instance: Instance) {
        self.by_cell.add(instance.spot.cell, instance.guid);
        self.by_class.add(instance.class, instance.guid);
        self.rows.insert(instance.guid, instance);
    }

    pub(crate) fn clear(&mut self) {
        *self = Instances::default();
    }

    pub(crate) fn remove(&mut self, guid: u32) {
        if let Some(instance) = self.rows.remove(&guid) {
            self.by_cell.remove(instance.spot.cell, guid);
            self.by_class.remove(instance.class, guid);
        }
    }

    pub(crate) fn remove_cell(&mut self, cell: u32) {
        self.remove_cells(cell..=cell);
    }

    pub(crate) fn remove_block(&mut self, block: u32) {
        if block <= 0xFFFF {
            self.remove_cells(block << 16..=block << 16 | 0xFFFF);
        }
    }

    fn remove_cells(&mut self, cells: RangeInclusive<u32>) {
        self.by_cell.rows(cells).into_iter().for_each(|guid| self.remove(guid as u32));
    }

    pub(crate) fn remove_class(&mut self, class: u32) {
        self.by_class.rows(class..=class).into_iter().for_each(|guid| self.remove(guid as u32));
    }
}

/// A row of `landblock_instance_link`.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) parent: u32,
    pub(crate) child: u32,
    pub(crate) at: Origin,
}

/// The rows of `landblock_instance_link`, numbered as they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    rows: BTreeMap<u64, Link>,
    next: u64,
    by_parent: Index,
    by_child: Index,
}

impl Links {
    /// All rows in the order of the files.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Link> {
        self.rows.values()
    }

    pub(crate) fn push(&mut self, link: Link) {
        self.by_parent.add(link.parent, self.next);
        self.by_child.add(link.child, self.next);
        self.rows.insert(self.next, link);
        self.next += 1;
    }

    pub(crate) fn clear(&mut self) {
        *self = Links::default();
    }

    pub(crate) fn remove_parent(&mut self, guid: u32) {
        self.remove(self.by_parent.rows(guid..=guid));
    }

    pub(crate) fn remove_child(&mut self, guid: u32) {
        self.remove(self.by_child.rows(guid..=guid));
    }

    fn remove(&mut self, numbers: Vec<u64>) {
        for number in numbers {
            if let Some(link) = self.rows.remove(&number) {
                self.by_parent.remove(link.parent, number);
                self.by_child.remove(link.child, number);
            }
        }
    }
}

/// Which rows have a value in a column: by their ids or numbers.
#[derive(Clone, Debug, Default)]
struct Index(BTreeSet<(u32, u64)>);

impl Index {
    fn add(&mut self, value: u32, row: impl Into<u64>) {
        self.0.insert((value, row.into()));
    }

    fn remove(&mut self, value: u32, row: impl Into<u64>) {
        self.0.remove(&(value, row.into()));
    }

    fn rows(&self, values: RangeInclusive<u32>) -> Vec<u64> {
        let all = (*values.start(), 0)..=(*values.end(), u64::MAX);
        self.0.range(all).map(|&(_, row)| row).collect()
    }
}
