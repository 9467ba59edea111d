//! Changing the directory: a B-tree whose nodes hold 30 to 61 entries. Spec: dat-container §5.5, §5.6.

use super::space::{Node, Space, Store};
use crate::{
    DatId, Error, Result,
    container::{
        Entry, NodeFault,
        node::{MAX_DEPTH, MIN_ENTRIES},
        node_form::NodeForm,
    },
};

/// The entry of an id.
pub(super) fn find<S: Store>(space: &mut Space<S>, id: DatId) -> Result<Option<Entry>> {
    Ok(locate(space, id)?.map(|(node, index)| node.form.entries[index]))
}

/// Overwrites the entry that has the same id.
pub(super) fn replace<S: Store>(space: &mut Space<S>, entry: Entry) -> Result<()> {
    let (mut node, index) = locate(space, entry.id)?.ok_or(Error::NotFound(entry.id))?;
    node.form.entries[index] = entry;
    space.write_node(&node)
}

fn locate<S: Store>(space: &mut Space<S>, id: DatId) -> Result<Option<(Node, usize)>> {
    let mut offset = space.root();
    for _ in 0..MAX_DEPTH {
        if offset == 0 {
            return Ok(None);
        }
        let node = space.read_node(offset)?;
        match position(&node, id) {
            Ok(index) => return Ok(Some((node, index))),
            Err(_) if node.form.is_leaf() => return Ok(None),
            Err(index) => offset = node.form.children[index],
        }
    }
    Err(Error::Directory { offset: offset.into(), fault: NodeFault::TooDeep })
}

/// Index of an id among the entries of a node, or of the child that leads to it.
fn position(node: &Node, id: DatId) -> Result<usize, usize> {
    node.form.entries.binary_search_by_key(&id, |entry| entry.id)
}

/// Adds an entry whose id is not there yet, splitting full nodes on the way down.
pub(super) fn insert<S: Store>(space: &mut Space<S>, entry: Entry) -> Result<()> {
    let Some(mut node) = root_with_room(space)? else {
        let leaf = space.new_node(NodeForm { entries: vec![entry], children: Vec::new() })?;
        space.set_root(leaf.offset());
        return Ok(());
    };
    loop {
        let (Ok(index) | Err(index)) = position(&node, entry.id);
        if node.form.is_leaf() {
            node.form.entries.insert(index, entry);
            return space.write_node(&node);
        }
        let child = space.read_node(node.form.children[index])?;
        node = if child.form.is_full() {
            let (left, right) = split(space, &mut node, index, child)?;
            if entry.id < node.form.entries[index].id { left } else { right }
        } else {
            child
        };
    }
}

/// The root, under a new one if it was full; nothing when the tree is empty.
fn root_with_room<S: Store>(space: &mut Space<S>) -> Result<Option<Node>> {
    if space.root() == 0 {
        return Ok(None);
    }
    let root = space.read_node(space.root())?;
    if !root.form.is_full() {
        return Ok(Some(root));
    }
    let mut above = space.new_node(NodeForm { entries: Vec::new(), children: vec![root.offset()] })?;
    split(space, &mut above, 0, root)?;
    space.set_root(above.offset());
    Ok(Some(above))
}

/// Splits the full child at `index` of `parent` into two of 30 entries; the one between them moves up.
fn split<S: Store>(
    space: &mut Space<S>,
    parent: &mut Node,
    index: usize,
    mut child: Node,
) -> Result<(Node, Node)> {
    let entries = child.form.entries.split_off(MIN_ENTRIES + 1);
    let children = match child.form.is_leaf() {
        true => Vec::new(),
        false => child.form.children.split_off(MIN_ENTRIES + 1),
    };
    let right = space.new_node(NodeForm { entries, children })?;
    if let Some(middle) = child.form.entries.pop() {
        parent.form.entries.insert(index, middle);
        parent.form.children.insert(index + 1, right.offset());
    }
    space.write_node(&child)?;
    space.write_node(parent)?;
    Ok((child, right))
}

/// Removes the entry of an id that is there.
pub(super) fn remove<S: Store>(space: &mut Space<S>, id: DatId) -> Result<()> {
    let mut node = space.read_node(space.root())?;
    loop {
        let child = match position(&node, id) {
            Ok(index) if node.form.is_leaf() => {
                node.form.entries.remove(index);
                return close(space, node);
            }
            Err(_) if node.form.is_leaf() => return Err(Error::NotFound(id)),
            Ok(index) => match replace_by_neighbour(space, &mut node, index)? {
                None => return Ok(()),
                Some(merged) => merged,
            },
            Err(index) => {
                let child = space.read_node(node.form.children[index])?;
                fill(space, &mut node, index, child)?
            }
        };
        drop_empty_root(space, node, &child)?;
        node = child;
    }
}

/// Writes a leaf that has lost an entry; an empty one was the last of the tree.
fn close<S: Store>(space: &mut Space<S>, leaf: Node) -> Result<()> {
    if leaf.form.entries.is_empty() && leaf.offset() == space.root() {
        space.set_root(0);
        return space.release_node(leaf);
    }
    space.write_node(&leaf)
}

/// A root that gave its last entry to a merge of its children makes room for the one that is left.
fn drop_empty_root<S: Store>(space: &mut Space<S>, node: Node, child: &Node) -> Result<()> {
    if node.offset() == space.root() && node.form.entries.is_empty() {
        space.set_root(child.offset());
        space.release_node(node)?;
    }
    Ok(())
}

/// Puts the predecessor or successor into the place of an inner node's entry. If neither child can spare one, the
/// entry moves down into their merger, which is returned.
fn replace_by_neighbour<S: Store>(
    space: &mut Space<S>,
    node: &mut Node,
    index: usize,
) -> Result<Option<Node>> {
    let left = space.read_node(node.form.children[index])?;
    if left.form.entries.len() > MIN_ENTRIES {
        node.form.entries[index] = take_end(space, left, End::Last)?;
        space.write_node(node)?;
        return Ok(None);
    }
    let right = space.read_node(node.form.children[index + 1])?;
    if right.form.entries.len() > MIN_ENTRIES {
        node.form.entries[index] = take_end(space, right, End::First)?;
        space.write_node(node)?;
        return Ok(None);
    }
    merge(space, node, index, left, right).map(Some)
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    First,
    Last,
}

/// Removes the first or last entry below a node that can spare one.
fn take_end<S: Store>(space: &mut Space<S>, mut node: Node, end: End) -> Result<Entry> {
    loop {
        let index = if end == End::First { 0 } else { node.form.entries.len() };
        if node.form.is_leaf() {
            let entry = node.form.entries.remove(index.saturating_sub(1));
            space.write_node(&node)?;
            return Ok(entry);
        }
        let child = space.read_node(node.form.children[index])?;
        node = fill(space, &mut node, index, child)?;
    }
}

/// Gives the child at `index` an entry to spare: from a sibling that has one, or by merging it with a sibling.
fn fill<S: Store>(space: &mut Space<S>, parent: &mut Node, index: usize, child: Node) -> Result<Node> {
    if child.form.entries.len() > MIN_ENTRIES {
        return Ok(child);
    }
    let mut child = child;
    let mut left = None;
    if index > 0 {
        let mut sibling = space.read_node(parent.form.children[index - 1])?;
        if borrow(space, parent, index - 1, &mut sibling, &mut child, End::Last)? {
            return Ok(child);
        }
        left = Some(sibling);
    }
    if index < parent.form.entries.len() {
        let mut sibling = space.read_node(parent.form.children[index + 1])?;
        if borrow(space, parent, index, &mut sibling, &mut child, End::First)? {
            return Ok(child);
        }
        if left.is_none() {
            return merge(space, parent, index, child, sibling);
        }
    }
    match left {
        Some(left) => merge(space, parent, index - 1, left, child),
        None => Ok(child),
    }
}

/// Moves entries from the `end` of a sibling through the parent's separator, until the child has one to spare;
/// false when the sibling has not enough.
fn borrow<S: Store>(
    space: &mut Space<S>,
    parent: &mut Node,
    separator: usize,
    sibling: &mut Node,
    child: &mut Node,
    end: End,
) -> Result<bool> {
    let before = child.form.entries.len();
    while child.form.entries.len() <= MIN_ENTRIES && sibling.form.entries.len() > MIN_ENTRIES {
        let (from, to, last) = (&mut sibling.form, &mut child.form, end == End::Last);
        let moved = from.entries.remove(if last { from.entries.len() - 1 } else { 0 });
        let down = std::mem::replace(&mut parent.form.entries[separator], moved);
        to.entries.insert(if last { 0 } else { to.entries.len() }, down);
        if !from.is_leaf() {
            let branch = from.children.remove(if last { from.children.len() - 1 } else { 0 });
            to.children.insert(if last { 0 } else { to.children.len() }, branch);
        }
    }
    if child.form.entries.len() > before {
        space.write_node(sibling)?;
        space.write_node(child)?;
        space.write_node(parent)?;
    }
    Ok(child.form.entries.len() > MIN_ENTRIES)
}

/// Joins two children of `parent` and the entry between them.
fn merge<S: Store>(
    space: &mut Space<S>,
    parent: &mut Node,
    separator: usize,
    mut left: Node,
    right: Node,
) -> Result<Node> {
    left.form.entries.push(parent.form.entries.remove(separator));
    left.form.entries.extend_from_slice(&right.form.entries);
    left.form.children.extend_from_slice(&right.form.children);
    parent.form.children.remove(separator + 1);
    space.write_node(&left)?;
    space.write_node(parent)?;
    space.release_node(right)?;
    Ok(left)
}
