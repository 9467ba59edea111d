//! One cell: its environment, its building, the objects in its list. Spec: physics-cells §4.1, §4.4, §4.5, §4.7.

use crate::{
    flags::MoverFlags,
    scene::EntityKey,
    sweep::{LONG, Mode, SHORT, Sweep, TestedCell, Verdict},
};
use glam::Vec3;
use threshold_world::{
    Cell, CellId,
    cell::EnvCell,
    landblock::{Building, LandCell},
};

impl<'w> Sweep<'w> {
    /// Retail: `CEnvCell::find_collisions` (0x0052C100), `CLandCell::find_collisions` (0x00532D60).
    #[inline]
    pub(crate) fn collide_with_cell(&mut self, id: CellId) -> Verdict {
        let tested = self.look_into(id);
        let verdict = match tested.cell {
            Some(Cell::Env(cell)) => self.collide_with_env(cell),
            Some(Cell::Land(cell)) => match (self.collide_with_terrain(cell), cell.building()) {
                (Verdict::Clear, Some(building)) => self.collide_with_building(building),
                (verdict, _) => verdict,
            },
            None => Verdict::Clear,
        };
        let verdict = match verdict {
            Verdict::Clear if !tested.objects.is_empty() => self.collide_with_objects(tested),
            verdict => verdict,
        };
        self.report_cell(id, verdict);
        verdict
    }

    /// Retail: `CEnvCell::find_env_collisions` (0x0052C130).
    fn collide_with_env(&mut self, cell: &'w EnvCell) -> Verdict {
        if self.is_entry_refused(cell.restriction) {
            return Verdict::Blocked;
        }
        self.path.ghost_target = false;
        let Some(mesh) = &cell.structure.physics else { return Verdict::Clear };
        self.path.localise(&cell.position, 1.0);
        let verdict = self.collide_with_mesh(mesh, 1.0).unwrap_or(Verdict::Clear);
        if verdict != Verdict::Clear && !self.is(MoverFlags::CONTACT) {
            self.log.hit_environment = true;
        }
        verdict
    }

    /// The shell of the building that stands in a land cell.
    /// Retail: `CBuildingObj::find_building_collisions` (0x006B5300). Spec: physics-cells §4.4a.
    fn collide_with_building(&mut self, building: &'w Building) -> Verdict {
        let Some(part) = building.model.as_ref().and_then(|model| model.parts.first()) else {
            return Verdict::Clear;
        };
        let Some(mesh) = &part.mesh else { return Verdict::Clear };
        self.path.shell_test = true;
        let verdict = self.collide_with_part(mesh, &building.shell, part.scale.z).unwrap_or(Verdict::Clear);
        self.path.shell_test = false;
        if verdict != Verdict::Clear && !self.is(MoverFlags::CONTACT) {
            self.log.hit_environment = true;
        }
        verdict
    }

    /// Objects in the cell's list, in order. Retail: `CObjCell::find_obj_collisions` (0x0052B750).
    fn collide_with_objects(&mut self, TestedCell { id, objects: list, .. }: TestedCell<'w>) -> Verdict {
        if self.path.mode == Mode::FirstPlace {
            return Verdict::Clear;
        }
        if list.len() <= SHORT {
            return self.collide_with_each(list);
        }
        if list.len() >= LONG {
            return self.collide_with_nearby(id, list);
        }
        let mut there = self.surroundings();
        for key in list {
            if self.may_touch(*key, &there) {
                let verdict = self.collide_with_each(std::slice::from_ref(key));
                if verdict != Verdict::Clear {
                    return verdict;
                }
                there = self.surroundings();
            }
        }
        Verdict::Clear
    }

    fn collide_with_nearby(&mut self, id: CellId, list: &[EntityKey]) -> Verdict {
        let mut from = 0;
        while let Some((place, key)) = self.next_nearby(id, list, from) {
            let verdict = self.collide_with_each(&[key]);
            if verdict != Verdict::Clear {
                return verdict;
            }
            from = place + 1;
        }
        Verdict::Clear
    }

    #[inline]
    fn collide_with_each(&mut self, keys: &[EntityKey]) -> Verdict {
        for &key in keys {
            if Some(key) == self.mover.entity {
                continue;
            }
            let verdict = self.collide_with_target(key);
            if verdict != Verdict::Clear {
                return verdict;
            }
        }
        Verdict::Clear
    }

    /// Whether a restriction keeps the mover out. Retail: `CObjCell::check_entry_restrictions`. Spec: physics-cells §4.7.
    fn is_entry_refused(&self, restriction: Option<u32>) -> bool {
        let Some(keeper) = restriction else { return false };
        self.is(MoverFlags::PLAYER)
            && !self.mover.bypasses_restrictions
            && !self.scene.is_admitted(self.mover.entity, keeper)
    }

    /// As [`Self::is_entry_refused`] for an outdoor cell, which also says which way the mover was turned back.
    pub(super) fn is_land_entry_refused(&mut self, cell: LandCell<'_>) -> bool {
        let refused = self.is_entry_refused(cell.block.land_restriction(cell.index()));
        if refused {
            let v = cell.position().offset_to(&self.path.held);
            self.log.set_hit(match v {
                v if v.y < -12.0 => Vec3::NEG_Y,
                v if v.y > 12.0 => Vec3::Y,
                v if v.x < -12.0 => Vec3::NEG_X,
                _ => Vec3::X,
            });
        }
        refused
    }
}
