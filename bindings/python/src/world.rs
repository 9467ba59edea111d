//! Opening, loading and advancing a world.

use crate::{
    entity::{Entity, Walker},
    error::Fault,
    position::{PlaceArg, Position, points},
    shared::Shared,
};
use numpy::{PyArray1, PyArray2, ndarray::Array2};
use pyo3::{prelude::*, types::PyBytes};
use std::{path::PathBuf, sync::Arc};
use threshold_ace::{CheckOptions, Database};
use threshold_dat::DatId;
use threshold_physics::{EntityRole, State};
use threshold_sim::{
    Builder, NewObject, ObserverId, Residency, Simulation, SimulationView, Skills, Snapshot,
};
use threshold_world::{
    BlockId, CellId, LoadedBlock, cell::PortalTarget, load_block, stream::StreamConfig,
    terrain::SAMPLES_PER_SIDE,
};

/// What a world object holds.
pub(crate) struct Inner {
    pub(crate) sim: Simulation,
    /// Makes another world of the same data.
    origin: Builder,
    /// What draws pictures, once one was asked for.
    pub(crate) view: Option<SimulationView>,
}

/// A running world.
#[pyclass(frozen, module = "threshold")]
pub(crate) struct World {
    pub(crate) shared: Arc<Shared<Inner>>,
}

/// An opening of an interior cell.
#[pyclass(frozen, get_all, module = "threshold")]
pub(crate) struct Portal {
    /// The cell.
    cell: u32,
    /// The cell behind it; `None` for the outdoors.
    to: Option<u32>,
    /// Corners in block coordinates, three columns.
    polygon: Py<PyAny>,
}

fn open(origin: Builder, residency: &str) -> Result<Inner, Fault> {
    let builder = origin.clone();
    let builder = match residency {
        "automatic" => builder,
        "whole" => builder.residency(Residency::Whole),
        "observed" => builder.residency(Residency::Observed(StreamConfig::default())),
        other => {
            let message = format!("unknown residency '{other}'; expected 'automatic', 'whole' or 'observed'");
            return Err(Fault::argument(message));
        }
    };
    Ok(Inner { sim: builder.build()?, origin, view: None })
}

fn shared(inner: Inner) -> World {
    World { shared: Arc::new(Shared::new("world", inner)) }
}

impl World {
    fn block(&self, py: Python<'_>, block: u32) -> PyResult<LoadedBlock> {
        let id = block_id(block)?;
        self.shared.run(py, |world| {
            if !world.sim.blocks().contains(&id) {
                return Err(Fault::not_found(format_args!("landblock {id} in these data files")));
            }
            Ok(load_block(world.sim.library(), id)?)
        })
    }
}

pub(crate) fn block_id(block: u32) -> Result<BlockId, Fault> {
    let id = u16::try_from(block);
    id.map(BlockId).map_err(|_| Fault::argument(format!("{block:#x} is not a block: 0 to 0xFFFF")))
}

#[pymethods]
impl World {
    /// The built-in sample world.
    #[staticmethod]
    #[pyo3(signature = (residency = "automatic"))]
    fn sample(py: Python<'_>, residency: &str) -> PyResult<World> {
        Ok(shared(py.detach(|| open(Builder::sample()?, residency))?))
    }

    /// A folder with `client_portal.dat` and `client_cell_1.dat`.
    #[staticmethod]
    #[pyo3(signature = (folder, residency = "automatic"))]
    fn open(py: Python<'_>, folder: PathBuf, residency: &str) -> PyResult<World> {
        Ok(shared(py.detach(|| open(Builder::open(&folder)?, residency))?))
    }

    /// Opens another world that shares the data; another thread may use it at the same time.
    #[pyo3(signature = (residency = "automatic"))]
    fn another(&self, py: Python<'_>, residency: &str) -> PyResult<World> {
        let origin = self.shared.with(|world| Ok(world.origin.clone()))?;
        Ok(shared(py.detach(|| open(origin, residency))?))
    }

    fn close(&self) -> PyResult<()> {
        self.shared.close()
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close()
    }

    /// Ids of the blocks that the data files have.
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u32>>> {
        let ids: Vec<u32> =
            self.shared.with(|world| Ok(world.sim.blocks().iter().map(|id| id.0.into()).collect()))?;
        Ok(PyArray1::from_vec(py, ids))
    }

    /// Loads a block, or everything visible from a place, until `unload` is called with the returned number.
    fn load(&self, py: Python<'_>, what: LoadArg) -> PyResult<u32> {
        self.shared.run(py, |world| {
            let sim = &mut world.sim;
            let id = match what {
                LoadArg::Block(block) => sim.hold_open([block_id(block)?])?,
                LoadArg::Around(place) => {
                    let place = place.resolve(sim)?;
                    sim.observe(place)?
                }
            };
            if let Err(error) = sim.settle(id) {
                sim.stop_observing(id)?;
                return Err(error.into());
            }
            Ok(id.number())
        })
    }

    /// Removes an observer of `load`; blocks that no other observer needs are unloaded.
    fn unload(&self, py: Python<'_>, observer: u32) -> PyResult<()> {
        self.shared.run(py, |world| Ok(world.sim.stop_observing(ObserverId::from_number(observer))?))
    }

    /// Moves an observer of `load` to another place, and loads its surroundings.
    fn move_observer(&self, py: Python<'_>, observer: u32, place: PlaceArg) -> PyResult<()> {
        self.shared.run(py, |world| {
            let (place, id) = (place.resolve(&world.sim)?, ObserverId::from_number(observer));
            world.sim.move_observer(id, place)?;
            Ok(world.sim.settle(id)?)
        })
    }

    /// Names of the places.
    fn places(&self) -> PyResult<Vec<String>> {
        self.shared.with(|world| Ok(world.sim.places().iter().map(|place| place.name.clone()).collect()))
    }

    /// The position that a text denotes.
    fn place(&self, text: String) -> PyResult<Position> {
        self.shared.with(|world| Ok(Position(PlaceArg::Named(text).resolve(&world.sim)?)))
    }

    /// Heights of a block's ground: 9 × 9 metres, `[x, y]` from the south-west corner, 24 m apart.
    fn heights<'py>(&self, py: Python<'py>, block: u32) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let loaded = self.block(py, block)?;
        if !loaded.has_terrain {
            return Err(Fault::not_found(format_args!("land in block {block:#06X}")).into());
        }
        let terrain = &loaded.block.terrain;
        let height = |(x, y)| terrain.height(x * SAMPLES_PER_SIDE + y);
        let heights = Array2::from_shape_fn((SAMPLES_PER_SIDE, SAMPLES_PER_SIDE), height);
        Ok(PyArray2::from_owned_array(py, heights))
    }

    /// The openings of a block's interior cells.
    fn portals(&self, py: Python<'_>, block: u32) -> PyResult<Vec<Portal>> {
        let loaded = self.block(py, block)?;
        let cells = loaded.block.env_cells.iter().flatten();
        let portals = cells.flat_map(|cell| cell.portals.iter().map(move |portal| (cell, portal)));
        let found = portals.map(|(cell, portal)| {
            let set = &cell.structure.portal_polygons;
            let polygon = set.polygons().get(usize::from(portal.polygon));
            let corners = polygon.into_iter().flat_map(|polygon| set.vertices(polygon));
            let corners = corners.map(|p| cell.position.frame.apply(p));
            Ok(Portal {
                cell: cell.id().0,
                to: match portal.target {
                    PortalTarget::Outside => None,
                    PortalTarget::Cell(id) => Some(id.0),
                },
                polygon: points(py, corners)?.unbind(),
            })
        });
        found.collect()
    }

    /// One tick of a thirtieth of a second.
    fn tick(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.run(py, |world| Ok(world.sim.tick()?))
    }

    /// Advances time, by at most an hour.
    fn advance(&self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        self.shared.run(py, |world| Ok(world.sim.advance(seconds)?))
    }

    /// Ticks since the beginning.
    #[getter]
    fn ticks(&self) -> PyResult<u64> {
        self.shared.with(|world| Ok(world.sim.ticks()))
    }

    /// A hash of everything that can change; the same on every machine.
    #[getter]
    fn state_hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.shared.run(py, |world| Ok(world.sim.state_hash()))
    }

    /// Everything that can change, as bytes.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.shared.run(py, |world| Ok(world.sim.snapshot().to_bytes()?))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Restores the state of a snapshot.
    fn restore(&self, py: Python<'_>, snapshot: Vec<u8>) -> PyResult<()> {
        self.shared.run(py, |world| Ok(world.sim.restore(&Snapshot::from_bytes(&snapshot)?)?))
    }

    /// Spawns an object exactly at the given position.
    #[pyo3(signature = (setup, place, *, guid = None, state = 0x408, scale = 1.0, creature = false, player = false, door = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn spawn(
        &self,
        setup: u32,
        place: PlaceArg,
        guid: Option<u32>,
        state: u32,
        scale: f32,
        creature: bool,
        player: bool,
        door: bool,
    ) -> PyResult<Entity> {
        let key = self.shared.with(|world| {
            let key = world.sim.spawn(NewObject {
                guid,
                setup: DatId(setup),
                position: place.resolve(&world.sim)?,
                state: State::from_bits_retain(state),
                scale,
                role: EntityRole { is_player: player, creature, ..EntityRole::default() },
            })?;
            if door {
                world.sim.add_door(key, None)?;
            }
            Ok(key)
        })?;
        Ok(Entity { world: self.shared.clone(), key })
    }

    /// Spawns a player controlled by keys.
    #[pyo3(signature = (place, *, run = 200, jump = 200, burden = 0.0))]
    fn walker(
        &self,
        py: Python<'_>,
        place: PlaceArg,
        run: u32,
        jump: u32,
        burden: f32,
    ) -> PyResult<Py<Walker>> {
        Walker::spawn(py, &self.shared, &place, Skills { run, jump, burden })
    }

    /// All objects, scenery and statics included.
    fn entities(&self) -> PyResult<Vec<Entity>> {
        let keys: Vec<_> =
            self.shared.with(|world| Ok(world.sim.scene().entities().map(|(key, _)| key).collect()))?;
        Ok(Entity::of(&self.shared, keys))
    }

    /// The object with a game id, or the placed object with a name.
    fn find(&self, what: FindArg) -> PyResult<Entity> {
        let key = self.shared.with(|world| match what {
            FindArg::Guid(guid) => world
                .sim
                .find(guid)
                .ok_or_else(|| Fault::not_found(format_args!("object with id {guid:#010x}"))),
            FindArg::Named(name) => world
                .sim
                .find_by_name(&name)
                .ok_or_else(|| Fault::not_found(format_args!("object named '{name}'"))),
        })?;
        Ok(Entity { world: self.shared.clone(), key })
    }

    /// Objects at home in a cell.
    fn residents(&self, cell: u32) -> PyResult<Vec<Entity>> {
        let keys: Vec<_> = self.shared.with(|world| Ok(world.sim.residents_of(CellId(cell)).collect()))?;
        Ok(Entity::of(&self.shared, keys))
    }

    /// Objects within a distance of a place, nearest first.
    fn objects_within(&self, place: PlaceArg, metres: f32) -> PyResult<Vec<Entity>> {
        let keys: Vec<_> = self.shared.with(|world| {
            if metres.is_nan() || metres < 0.0 {
                return Err(Fault::argument("a distance is NaN, infinite or out of range"));
            }
            let place = place.resolve(&world.sim)?;
            Ok(world.sim.objects_within(&place, metres).into_iter().map(|(key, _)| key).collect())
        })?;
        Ok(Entity::of(&self.shared, keys))
    }

    /// Checks rows of ACE-World SQL against this world; a line per finding.
    fn check_instances(&self, py: Python<'_>, sql: &str) -> PyResult<Vec<String>> {
        self.shared.run(py, |world| {
            let mut database = Database::new();
            database.read("sql", sql).map_err(|error| Fault::argument(error.to_string()))?;
            let checked = database.check(world.sim.library(), &CheckOptions::default())?;
            Ok(checked.findings.iter().map(ToString::to_string).collect())
        })
    }
}

#[derive(FromPyObject)]
pub(crate) enum LoadArg {
    Block(u32),
    Around(PlaceArg),
}

#[derive(FromPyObject)]
pub(crate) enum FindArg {
    Guid(u32),
    Named(String),
}
