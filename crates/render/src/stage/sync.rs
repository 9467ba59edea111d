//! Keeping the stage like the world: the picture shows the objects that its source knows, in the cells it lists them in.

use super::{ObjectId, ObjectSource, SourceObject, Spawn, Stage};
use crate::assets::Assets;
use threshold_world::{Frame, Position};

/// Metres that an object is shown to move from one sync to the next; farther ones were taken there at once. Nothing moves
/// faster than 50 m/s by itself.
const LONGEST_GLIDE: f32 = 3.0;

/// An object on its way from where it was to where it is.
#[derive(Clone, Copy)]
pub(super) struct Glide {
    object: ObjectId,
    from: Position,
    to: Position,
}

impl Stage {
    /// Adds new objects, moves moved ones, and removes deleted ones.
    pub fn sync(&mut self, assets: &mut Assets, source: &dyn ObjectSource) {
        self.mend(assets);
        self.draw_between(1.0);
        self.glides.clear();
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

    /// The stage's object for an object of the source.
    pub fn object_of(&self, key: u64) -> Option<ObjectId> {
        self.mirror.get(&key).copied()
    }

    /// Makes an object like the one it stands for.
    fn follow(&mut self, id: ObjectId, source: &SourceObject<'_>) {
        let Some(object) = self.object_mut(id) else { return };
        object.hidden = source.is_hidden;
        object.scale = source.scale;
        object.follow_pose(source.pose);
        let from = object.position;
        if from != source.position || object.cells != source.cells {
            self.place(id, source.position, source.cells);
            if from.offset_to(&source.position).length_squared() < LONGEST_GLIDE * LONGEST_GLIDE {
                self.glides.push(Glide { object: id, from, to: source.position });
            }
        }
    }

    /// Interpolates the objects that the last [`Stage::sync`] moved: 0 is the previous position, 1 the current one. Each is
    /// drawn in its current cell; teleported objects are not interpolated.
    pub fn draw_between(&mut self, part: f32) {
        let part = part.clamp(0.0, 1.0);
        for at in 0..self.glides.len() {
            let Glide { object, from, to } = self.glides[at];
            let Some(object) = self.object_mut(object) else { continue };
            object.position = to;
            if part < 1.0 {
                let way = from.offset_to(&to);
                let rotation = from.frame.rotation().interpolate(to.frame.rotation(), part);
                object.position.frame = Frame::new(to.frame.origin - way * (1.0 - part), rotation);
            }
        }
    }
}
