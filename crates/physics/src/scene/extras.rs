//! What few objects have. It is kept apart from them, so that those that move in crowds are small.

use super::{Admission, Attachment, Entity, EntityKey, entity::Collision};
use std::fmt;
use threshold_dat::DatId;
use threshold_world::{CellId, Frame};

/// The rest of an object; that of most is empty.
#[derive(Clone, Debug)]
pub(super) struct Extras {
    /// Parts of the model that were swapped, each with its mesh.
    pub(super) swaps: Vec<(usize, DatId)>,
    /// Which players it admits as the keeper of a cell.
    pub(super) admission: Admission,
    /// How its parent holds it.
    pub(super) attachment: Attachment,
    /// Objects that it carries.
    pub(super) children: Vec<EntityKey>,
    /// Cells whose loading would change where the object is registered.
    pub(super) awaits: Vec<CellId>,
    pub(super) collisions: Vec<Collision>,
}

impl Extras {
    const NONE: Extras = Extras {
        swaps: Vec::new(),
        admission: Admission::Everyone,
        attachment: Attachment { part: 0, frame: Frame::IDENTITY },
        children: Vec::new(),
        awaits: Vec::new(),
        collisions: Vec::new(),
    };
}

/// The extras of an object. Those that have been emptied count as absent.
#[derive(Clone, Default)]
pub(super) struct MaybeExtras(Option<Box<Extras>>);

impl MaybeExtras {
    #[inline]
    fn get(&self) -> &Extras {
        static NONE: Extras = Extras::NONE;
        self.0.as_deref().unwrap_or(&NONE)
    }

    /// Whether something holds of them; it holds of none.
    #[inline]
    fn is_none_or(&self, holds: impl Fn(&Extras) -> bool) -> bool {
        self.0.as_deref().is_none_or(holds)
    }
}

impl fmt::Debug for MaybeExtras {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl From<Extras> for MaybeExtras {
    fn from(extras: Extras) -> MaybeExtras {
        let Extras { swaps, admission, attachment, children, awaits, collisions } = &extras;
        let is_empty = swaps.is_empty()
            && *admission == Admission::Everyone
            && *attachment == Attachment::default()
            && children.is_empty()
            && awaits.is_empty()
            && collisions.is_empty();
        MaybeExtras((!is_empty).then(|| Box::new(extras)))
    }
}

impl Entity {
    #[inline]
    pub(super) fn extras(&self) -> &Extras {
        self.extras.get()
    }

    /// Makes room for what is going to be changed.
    pub(super) fn extras_mut(&mut self) -> &mut Extras {
        self.extras.0.get_or_insert_with(|| Box::new(Extras::NONE))
    }

    /// Objects that it carries.
    pub fn children(&self) -> &[EntityKey] {
        &self.extras().children
    }

    /// How its parent holds it.
    pub fn attachment(&self) -> &Attachment {
        &self.extras().attachment
    }

    /// Which players it admits as the keeper of a cell.
    pub fn admission(&self) -> &Admission {
        &self.extras().admission
    }

    /// Cells whose loading would cause the object to be registered again.
    pub fn awaits(&self) -> &[CellId] {
        &self.extras().awaits
    }

    pub(super) fn collisions(&self) -> &[Collision] {
        &self.extras().collisions
    }

    /// Whether it touches no object, as far as it remembers.
    #[inline]
    pub(super) fn touches_nothing(&self) -> bool {
        self.extras.is_none_or(|extras| extras.collisions.is_empty())
    }

    /// Whether it carries nothing.
    #[inline]
    pub(super) fn carries_nothing(&self) -> bool {
        self.extras.is_none_or(|extras| extras.children.is_empty())
    }

    /// Whether it carries nothing and waits for no cell.
    #[inline]
    pub(super) fn is_by_itself(&self) -> bool {
        self.extras.is_none_or(|extras| extras.children.is_empty() && extras.awaits.is_empty())
    }
}
