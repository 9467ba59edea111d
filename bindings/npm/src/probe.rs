//! Questions: nothing in the world changes.

use crate::{
    argument::{Options, choice, large, shown, vector, whole},
    entity::read_skills,
    error::Fault,
    position::{self, PlaceArg, PlacesArg, SpotArg},
    report,
    types::{
        JsBlockers, JsBody, JsHit, JsHits, JsJumpOptions, JsJumpReport, JsLoad, JsPathOptions, JsPathReport,
        JsPathReports, JsPaths, JsPlace, JsPlaces, JsPosition, JsRoute, JsSphereKind, JsSpot, JsSweeps,
        JsVector,
    },
    value::{self, list},
    world::World,
};
use glam::Vec3;
use js_sys::{Array, Uint32Array};
use threshold_dat::DatId;
use threshold_physics::cast::{Blockers, Cast};
use threshold_sim::{
    Area, Controls, Gait, Jump, PathCheck, PathRequest, Sight, SimError, Simulation, SphereKind, SphereSweep,
    Spot, Walker, WalkerBody,
    nav::{DoorPolicy, Policy},
};
use threshold_world::{CellId, Position as Place, coords::block_offset};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

impl SpotArg {
    fn resolve(&self, sim: &Simulation) -> Result<Spot, Fault> {
        match self {
            SpotArg::Entity(key) => {
                sim.entity(*key)?;
                Ok((*key).into())
            }
            SpotArg::At(place) => Ok(place.resolve(sim)?.into()),
        }
    }
}

/// Who walks or jumps, as callers may say it.
fn body(value: &JsValue) -> Result<Walker, Fault> {
    let mut options = Options::new(value)?;
    let skills = read_skills(&mut options)?;
    let gait = if options.flag("slow", false)? { Gait::Walk } else { Gait::Run };
    let (setup, scale) = (options.maybe_whole("setup")?, options.float("scale", 1.0)?);
    let like = options.get("like")?;
    options.end()?;
    let body = match (like, setup) {
        (Some(_), Some(_)) => return Err(Fault::argument("pass either `like` or `setup`, not both")),
        (Some(like), None) => {
            let key = position::entity(&like)?;
            let found = || Fault::Type(format!("like: expected an object, not {}", shown(&like)));
            WalkerBody::Entity(key.ok_or_else(found)?)
        }
        (None, Some(setup)) => WalkerBody::Creature { setup: DatId(setup), scale },
        (None, None) => WalkerBody::Player,
    };
    Ok(Walker { body, skills, gait })
}

fn blockers(value: Option<JsBlockers>) -> Result<Blockers, Fault> {
    let choices = [
        ("everything", Blockers::Everything),
        ("solid", Blockers::Solid),
        ("environment", Blockers::Environment),
    ];
    choice("blockers", &value.into(), &choices)
}

fn sphere_kind(value: Option<JsSphereKind>) -> Result<SphereKind, Fault> {
    let choices =
        [("camera", SphereKind::Camera), ("missile", SphereKind::Missile), ("slide", SphereKind::Slide)];
    choice("kind", &value.into(), &choices)
}

fn cast(from: Place, direction: Vec3, reach: f32, blockers: Blockers) -> Result<Cast<'static>, Fault> {
    if reach.is_nan() || reach < 0.0 {
        return Err(Fault::argument("the reach of a ray is NaN, infinite or out of range"));
    }
    Ok(Cast { from, direction, reach, blockers, ignored: &[] })
}

/// Every answer of a batch; a refusal says which one it is.
fn all<T>(answers: Vec<Result<T, SimError>>) -> Result<Vec<T>, Fault> {
    let answers = answers.into_iter().enumerate();
    answers.map(|(index, answer)| answer.map_err(|error| Fault::from(error).of_entry(index))).collect()
}

/// Where many begin and end, as many of each.
fn pairs(sim: &Simulation, begins: PlacesArg, ends: PlacesArg) -> Result<Vec<(Place, Place)>, Fault> {
    let (begins, ends) = (begins.resolve(sim)?, ends.resolve(sim)?);
    if begins.len() != ends.len() {
        let (begins, ends) = (begins.len(), ends.len());
        return Err(Fault::argument(format!("there are {begins} begins and {ends} ends")));
    }
    Ok(begins.into_iter().zip(ends).collect())
}

fn cells(found: &[CellId]) -> Uint32Array {
    Uint32Array::from(&found.iter().map(|cell| cell.0).collect::<Vec<_>>()[..])
}

#[wasm_bindgen]
impl World {
    /// The height of the land at a place; `undefined` where no land is loaded.
    #[wasm_bindgen(js_name = groundHeight)]
    pub fn ground_height(&self, place: &JsPlace) -> Result<Option<f32>, Fault> {
        let place = PlaceArg::read(place)?;
        self.shared.with(|world| Ok(world.sim.ground_height(&place.resolve(&world.sim)?)))
    }

    /// The ground, floor or solid object under a point.
    pub fn ground(&self, place: &JsPlace) -> Result<Option<JsHit>, Fault> {
        let place = PlaceArg::read(place)?;
        self.shared
            .with(|world| Ok(world.sim.ground_under(&place.resolve(&world.sim)?).as_ref().map(report::hit)))
    }

    /// The ceiling or solid object over a point.
    pub fn ceiling(&self, place: &JsPlace) -> Result<Option<JsHit>, Fault> {
        let place = PlaceArg::read(place)?;
        self.shared
            .with(|world| Ok(world.sim.ceiling_over(&place.resolve(&world.sim)?).as_ref().map(report::hit)))
    }

    /// The position with the cell that a position from elsewhere belongs to; `undefined` when it belongs to none.
    /// `reference` is a point that must be in the same room, from the position.
    pub fn reseat(&self, place: &JsPlace, reference: Option<JsVector>) -> Result<Option<JsPosition>, Fault> {
        let place = PlaceArg::read(place)?;
        let reference = reference.map(|reference| vector("reference", &reference)).transpose()?;
        self.shared.with(|world| {
            let place = place.resolve(&world.sim)?;
            let seat = world.sim.reseat(&place, reference.unwrap_or(Vec3::ZERO))?;
            Ok(seat.as_ref().map(value::position))
        })
    }

    /// Cells that a sphere touches, its own first.
    #[wasm_bindgen(js_name = cellsOfSphere)]
    pub fn cells_of_sphere(&self, center: &JsPlace, radius: f32) -> Result<Uint32Array, Fault> {
        let center = PlaceArg::read(center)?;
        self.shared.with(|world| Ok(cells(&world.sim.cells_of_sphere(&center.resolve(&world.sim)?, radius)?)))
    }

    /// Interior cells that can be seen from an interior cell, itself included.
    #[wasm_bindgen(js_name = visibleCells)]
    pub fn visible_cells(&self, cell: f64) -> Result<Uint32Array, Fault> {
        let cell = CellId(whole("cell", cell)?);
        self.shared.with(|world| Ok(cells(&world.sim.cells_seen_from(cell))))
    }

    /// The first thing that a ray meets.
    pub fn cast(
        &self,
        begin: &JsPlace,
        direction: &JsVector,
        reach: f32,
        blockers: Option<JsBlockers>,
    ) -> Result<Option<JsHit>, Fault> {
        let (begin, direction) = (PlaceArg::read(begin)?, vector("direction", direction)?);
        let blockers = self::blockers(blockers)?;
        self.shared.with(|world| {
            let ray = cast(begin.resolve(&world.sim)?, direction, reach, blockers)?;
            Ok(world.sim.cast(&ray).as_ref().map(report::hit))
        })
    }

    /// Rays from places to places, many at once.
    pub fn casts(
        &self,
        begins: &JsPlaces,
        ends: &JsPlaces,
        blockers: Option<JsBlockers>,
    ) -> Result<JsHits, Fault> {
        let (begins, ends) = (PlacesArg::read(begins)?, PlacesArg::read(ends)?);
        let blockers = self::blockers(blockers)?;
        self.shared.with(|world| {
            let rays = pairs(&world.sim, begins, ends)?.into_iter().map(|(begin, end)| {
                let way = end.frame.origin + block_offset(begin.cell, end.cell) - begin.frame.origin;
                cast(begin, way, way.length(), blockers)
            });
            let hits: Vec<_> =
                world.sim.casts(&rays.collect::<Result<Vec<_>, Fault>>()?).into_iter().collect();
            Ok(report::hits(&hits))
        })
    }

    /// Whether one spot sees another: `undefined` when it does, else what is between.
    #[wasm_bindgen(js_name = lineOfSight)]
    pub fn line_of_sight(&self, a: &JsSpot, b: &JsSpot, radius: Option<f32>) -> Result<Option<JsHit>, Fault> {
        let (a, b) = (SpotArg::read(a)?, SpotArg::read(b)?);
        self.shared.with(|world| {
            let (a, b) = (a.resolve(&world.sim)?, b.resolve(&world.sim)?);
            Ok(match world.sim.line_of_sight_within(a, b, radius.unwrap_or(0.0))? {
                Sight::Clear => None,
                Sight::Blocked(hit) => Some(report::hit(&hit)),
            })
        })
    }

    /// As `lineOfSight` for many pairs of places.
    #[wasm_bindgen(js_name = linesOfSight)]
    pub fn lines_of_sight(
        &self,
        begins: &JsPlaces,
        ends: &JsPlaces,
        radius: Option<f32>,
    ) -> Result<JsHits, Fault> {
        let (begins, ends) = (PlacesArg::read(begins)?, PlacesArg::read(ends)?);
        self.shared.with(|world| {
            let pairs = pairs(&world.sim, begins, ends)?;
            let pairs: Vec<(Spot, Spot)> = pairs.into_iter().map(|(a, b)| (a.into(), b.into())).collect();
            let sights = all(world.sim.lines_of_sight(&pairs, radius.unwrap_or(0.0)))?.into_iter();
            let hits = sights.map(|sight| match sight {
                Sight::Clear => None,
                Sight::Blocked(hit) => Some(hit),
            });
            Ok(report::hits(&hits.collect::<Vec<_>>()))
        })
    }

    /// Sweeps spheres through everything solid, many at once; their radius is 0.3 m unless named.
    pub fn sweep(
        &self,
        begins: &JsPlaces,
        ends: &JsPlaces,
        radius: Option<f32>,
        kind: Option<JsSphereKind>,
    ) -> Result<JsSweeps, Fault> {
        let (begins, ends) = (PlacesArg::read(begins)?, PlacesArg::read(ends)?);
        let (radius, kind) = (radius.unwrap_or(0.3), sphere_kind(kind)?);
        self.shared.with(|world| {
            let pairs = pairs(&world.sim, begins, ends)?.into_iter();
            let sweeps: Vec<_> = pairs.map(|(from, to)| SphereSweep { from, to, radius, kind }).collect();
            Ok(report::sweeps(&all(world.sim.sweep_spheres(&sweeps))?))
        })
    }

    /// Drives a body along a path and says how far it comes and what stops it.
    #[wasm_bindgen(js_name = checkPath)]
    pub fn check_path(
        &self,
        begin: &JsPlace,
        legs: &JsPlaces,
        body: Option<JsBody>,
    ) -> Result<JsPathReport, Fault> {
        let (begin, legs, walker) =
            (PlaceArg::read(begin)?, PlacesArg::read(legs)?, self::body(&body.into())?);
        self.shared.with(|world| {
            let legs = legs.resolve(&world.sim)?;
            let check = PathCheck { walker, from: begin.resolve(&world.sim)?, legs: &legs };
            Ok(report::path(&world.sim.check_path(&check)?))
        })
    }

    /// As `checkPath` for many paths, each with where it begins first.
    #[wasm_bindgen(js_name = checkPaths)]
    pub fn check_paths(&self, paths: &JsPaths, body: Option<JsBody>) -> Result<JsPathReports, Fault> {
        let listed = || Fault::Type(format!("paths: expected a list of paths, not {}", shown(paths)));
        let paths: Result<Vec<_>, _> =
            paths.dyn_ref::<Array>().ok_or_else(listed)?.iter().map(|path| PlacesArg::read(&path)).collect();
        let (paths, walker) = (paths?, self::body(&body.into())?);
        self.shared.with(|world| {
            let paths = paths.into_iter().map(|path| path.resolve(&world.sim));
            let paths: Vec<Vec<Place>> = paths.collect::<Result<_, _>>()?;
            let checks = paths.iter().map(|path| match &path[..] {
                [from, legs @ ..] => Ok(PathCheck { walker, from: *from, legs }),
                [] => Err(Fault::argument("a path without a beginning")),
            });
            let checks: Vec<PathCheck<'_>> = checks.collect::<Result<_, _>>()?;
            Ok(list(all(world.sim.check_paths(&checks))?.iter().map(report::path)))
        })
    }

    /// Finds the shortest way that a body has walked, or says where what it can reach ends.
    #[wasm_bindgen(js_name = findPath)]
    pub fn find_path(
        &self,
        begin: &JsPlace,
        end: &JsPlace,
        body: Option<JsBody>,
        options: Option<JsPathOptions>,
    ) -> Result<JsRoute, Fault> {
        let (begin, end, walker) = (PlaceArg::read(begin)?, PlaceArg::read(end)?, self::body(&body.into())?);
        let mut options = Options::new(&options.into())?;
        let doors = match options.flag("opensDoors", true)? {
            true => DoorPolicy::Opens,
            false => DoorPolicy::LeavesShut,
        };
        let max_drop = options.float("maxDrop", 6.0)?;
        let takes_portals = options.flag("takesPortals", false)?;
        let (wades, prove) = (options.flag("wades", true)?, options.flag("prove", true)?);
        options.end()?;
        if max_drop.is_nan() || max_drop < 0.0 {
            return Err(Fault::argument("the deepest fall is NaN, infinite or out of range"));
        }
        let policy =
            Policy::default().doors(doors).max_drop(max_drop).wades(wades).takes_portals(takes_portals);
        self.shared.with(|world| {
            let (from, to) = (begin.resolve(&world.sim)?, end.resolve(&world.sim)?);
            let found = world.sim.find_path(&PathRequest { walker, from, to, policy: &policy, prove })?;
            Ok(report::route(found, &to))
        })
    }

    /// Lets a body jump and follows it until it lands; `power` is 0 to 1, and 1 unless named.
    #[wasm_bindgen(js_name = simulateJump)]
    pub fn simulate_jump(
        &self,
        begin: &JsPlace,
        power: Option<f32>,
        options: Option<JsJumpOptions>,
    ) -> Result<JsJumpReport, Fault> {
        let begin = PlaceArg::read(begin)?;
        let mut options = Options::new(&options.into())?;
        let controls = Controls {
            forward: options.flag("forward", false)?,
            back: options.flag("back", false)?,
            left: options.flag("left", false)?,
            right: options.flag("right", false)?,
            toggle_run: options.flag("slow", false)?,
            ..Controls::default()
        };
        let walker = body(&options.get("body")?.into())?;
        options.end()?;
        self.shared.with(|world| {
            let from = begin.resolve(&world.sim)?;
            let jump = Jump { walker, from, controls, power: power.unwrap_or(1.0) };
            Ok(report::jump(&world.sim.simulate_jump(&jump)?))
        })
    }

    /// Where a body stands that is put down at a place; `undefined` when there is no room or no ground.
    #[wasm_bindgen(js_name = standAt)]
    pub fn stand_at(&self, place: &JsPlace, body: Option<JsBody>) -> Result<Option<JsPosition>, Fault> {
        let (place, walker) = (PlaceArg::read(place)?, self::body(&body.into())?);
        self.shared.with(|world| {
            let place = place.resolve(&world.sim)?;
            Ok(world.sim.stand_at(&walker, &place)?.as_ref().map(value::position))
        })
    }

    /// A spot within a distance of a place (10 m unless named) where a body can stand, or in a cell; the same seed gives
    /// the same spot.
    #[wasm_bindgen(js_name = randomStandable)]
    pub fn random_standable(
        &self,
        area: &JsLoad,
        metres: Option<f32>,
        seed: Option<f64>,
        body: Option<JsBody>,
    ) -> Result<Option<JsPosition>, Fault> {
        let cell = area.as_f64().map(|cell| whole("cell", cell)).transpose()?;
        let around = if cell.is_none() { Some(PlaceArg::read(area)?) } else { None };
        let (seed, walker) = (large("seed", seed.unwrap_or(0.0))?, self::body(&body.into())?);
        self.shared.with(|world| {
            let area = match around {
                None => Area::Cell(CellId(cell.unwrap_or_default())),
                Some(place) => {
                    Area::Around { center: place.resolve(&world.sim)?, metres: metres.unwrap_or(10.0) }
                }
            };
            Ok(world.sim.random_standable(&walker, area, seed)?.as_ref().map(value::position))
        })
    }
}
