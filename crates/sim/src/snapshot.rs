//! The whole mutable state of a simulation, as a value and as bytes.

use crate::{
    Player, SimError, Simulation, clock::Clock, doors::Doors, go_to::Trips, habits::Doings, known::Known,
    loading::LoadingState, mesh_work::MeshWork, objects::Placed, routes::KeptMarks, updates::Told,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_physics::{EntityKey, scene::SceneState};
use threshold_world::BlockId;

/// What the bytes of a snapshot begin with.
const MAGIC: [u8; 4] = *b"THSN";
/// Changes whenever the meaning of the bytes does.
const VERSION: u16 = 5;
const HEAD: usize = MAGIC.len() + size_of::<u16>();

/// A simulation at one moment: everything that can change, bit for bit. Taken with [`Simulation::snapshot`].
///
/// It contains no geometry: restore it into a simulation of the same data files, in this process or another, and from
/// there the same inputs give the same states. Events that have not been drained are not part of it. Snapshots of one
/// simulation share what has not changed between them, so taking one per tick is cheap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    clock: Clock,
    scene: SceneState,
    doors: Doors,
    doings: Doings,
    trips: Trips,
    marks: KeptMarks,
    mesh_work: MeshWork,
    known: Known,
    unseated: BTreeSet<(BlockId, u32)>,
    players: BTreeMap<EntityKey, Player>,
    placed: Arc<Placed>,
    told: Arc<Told>,
    loading: LoadingState,
}

impl Snapshot {
    /// The tick that it was taken after.
    pub fn ticks(&self) -> u64 {
        self.clock.ticks
    }

    /// The snapshot as bytes, with a version.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SimError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        postcard::to_extend(self, bytes).map_err(|error| SimError::Snapshot(error.to_string()))
    }

    /// Decodes a snapshot; bytes of another version or kind are refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<Snapshot, SimError> {
        let refuse = |why: String| SimError::Snapshot(why);
        let Some((head, body)) = bytes.split_at_checked(HEAD) else {
            return Err(refuse(format!("{} bytes are too few", bytes.len())));
        };
        let (magic, version) = head.split_at(MAGIC.len());
        if magic != MAGIC {
            return Err(refuse("it does not begin as a snapshot does".into()));
        }
        if version != VERSION.to_le_bytes() {
            let found = u16::from_le_bytes([version[0], version[1]]);
            return Err(refuse(format!("it is of version {found}, not {VERSION}")));
        }
        let (snapshot, rest) = postcard::take_from_bytes(body).map_err(|error| refuse(error.to_string()))?;
        if rest.is_empty() { Ok(snapshot) } else { Err(refuse(format!("{} bytes too many", rest.len()))) }
    }
}

impl Simulation {
    /// Everything that can change, at this moment.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            clock: self.clock,
            scene: self.scene.save(),
            doors: self.doors.clone(),
            doings: self.doings.clone(),
            trips: self.trips.clone(),
            marks: self.routes.marks(),
            mesh_work: self.mesh_work.clone(),
            known: self.known.clone(),
            unseated: self.unseated.clone(),
            players: self.players.clone(),
            placed: self.placed.clone(),
            told: self.told.clone(),
            loading: self.loading.state(),
        }
    }

    /// Restores the state of a snapshot: loads what was loaded then, and restores everything bit for bit. A snapshot of
    /// other data files is refused; then nothing changes except which blocks are loaded.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SimError> {
        let players = snapshot.players.keys().copied();
        for key in players
            .chain(snapshot.doors.keys().copied())
            .chain(snapshot.trips.keys().copied())
            .chain(snapshot.known.observers())
        {
            if !snapshot.scene.contains(key) {
                return Err(SimError::Snapshot(format!("{key:?} is not in it")));
            }
        }
        self.with_loaded(&snapshot.loading, |sim| sim.restore_scene(&snapshot.scene))?;
        self.clock = snapshot.clock;
        self.doors = snapshot.doors.clone();
        self.doings = snapshot.doings.clone();
        self.trips = snapshot.trips.clone();
        self.refresh_routes();
        self.routes.set_marks(&snapshot.marks);
        self.mesh_work = snapshot.mesh_work.clone();
        self.known = snapshot.known.clone();
        self.unseated = snapshot.unseated.clone();
        self.players = snapshot.players.clone();
        self.placed = snapshot.placed.clone();
        self.told = snapshot.told.clone();
        self.events.clear();
        self.recent_hooks.clear();
        self.has_new_viewers = true;
        Ok(())
    }

    fn restore_scene(&mut self, scene: &SceneState) -> Result<(), SimError> {
        let restored = self.scene.restore(&self.world, scene, &self.library);
        restored.map_err(|error| SimError::Snapshot(error.to_string()))
    }
}
