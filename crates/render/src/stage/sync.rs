//! Keeping the stage like the world: the picture shows the objects that its source knows, in the cells it lists them in.

use super::{ObjectId, ObjectSource, SourceObject, Spawn, Stage};
use crate::assets::Assets;

impl Stage {
    /// Brings on what has come, moves what has moved, takes off what has gone.
    pub fn sync(&mut self, assets: &mut Assets, source: &dyn ObjectSource) {
        self.mend(assets);
        source.objects(&mut |object| {
            let id = self.mirror.get(&object.key).copied().unwrap_or_else(|| {
                let spawn = Spawn {
                    scale: object.scale,
                    is_fixed: object.is_fixed,
                    ..Spawn::new(object.model, object.position)
                };
                let id = self.spawn(assets, &spawn, &[]);
                self.mirror.insert(object.key, id);
                id
            });
            self.follow(id, object);
        });
        if self.mirror.keys().any(|&key| !source.contains(key)) {
            let mut gone: Vec<_> = self.mirror.keys().copied().filter(|&key| !source.contains(key)).collect();
            // Later objects use their numbers again, in this order.
            gone.sort_unstable();
            for key in gone {
                if let Some(object) = self.mirror.remove(&key) {
                    self.remove(object);
                }
            }
        }
    }

    /// The object on the stage that stands for one of the source.
    pub fn object_of(&self, key: u64) -> Option<ObjectId> {
        self.mirror.get(&key).copied()
    }

    /// Makes an object like the one it stands for.
    fn follow(&mut self, id: ObjectId, source: &SourceObject<'_>) {
        let Some(object) = self.object_mut(id) else { return };
        object.hidden = source.is_hidden;
        object.scale = source.scale;
        if object.position != source.position || object.cells != source.cells {
            self.place(id, source.position, source.cells);
        }
    }
}
