//! The flag words of the original: object state, transient state, mover flags. Spec: physics §1.2–1.4.

use bitflags::bitflags;

bitflags! {
    /// Lasting state of an object. Retail: `PhysicsState`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct State: u32 {
        /// Never integrated; hitting it counts as hitting the environment.
        const STATIC = 0x1;
        /// Overlap is reported, never blocks.
        const ETHEREAL = 0x4;
        /// Collisions are reported.
        const REPORT_COLLISIONS = 0x8;
        /// Together with ETHEREAL: not tested at all.
        const IGNORE_COLLISIONS = 0x10;
        /// Not drawn.
        const NO_DRAW = 0x20;
        /// Flies: no step down, path clipped.
        const MISSILE = 0x40;
        /// Without effect on physics.
        const PUSHABLE = 0x80;
        /// Faces along its displacement, up and down too.
        const ALIGN_PATH = 0x100;
        /// Cleared together with MISSILE on impact.
        const PATH_CLIPPED = 0x200;
        /// Falls.
        const GRAVITY = 0x400;
        /// Lit.
        const LIGHTING_ON = 0x800;
        /// One shadow only; parts do not follow the frame.
        const PARTICLE_EMITTER = 0x1000;
        /// Skips animation and integration.
        const HIDDEN = 0x4000;
        /// Without effect on physics.
        const SCRIPTED_COLLISION = 0x8000;
        /// Collides by the physics trees of its parts and floods by their boxes.
        const HAS_PHYSICS_BSP = 0x1_0000;
        /// Impact stops it.
        const INELASTIC = 0x2_0000;
        /// Has an animation of its own.
        const HAS_DEFAULT_ANIM = 0x4_0000;
        /// Has a script of its own.
        const HAS_DEFAULT_SCRIPT = 0x8_0000;
        /// Not to be seen by everyone.
        const CLOAKED = 0x10_0000;
        /// Others report hitting it as hitting the environment.
        const REPORT_AS_ENVIRONMENT = 0x20_0000;
        /// Slides along edges instead of falling off them.
        const EDGE_SLIDE = 0x40_0000;
        /// Glides.
        const SLEDDING = 0x80_0000;
        /// Not updated.
        const FROZEN = 0x100_0000;
    }

    /// State of an object from one tick to the next. Retail: `TransientState`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct Transient: u32 {
        /// Touches ground.
        const CONTACT = 0x1;
        /// The ground is walkable.
        const ON_WALKABLE = 0x2;
        /// Slides along something.
        const SLIDING = 0x4;
        /// The ground is under water (or a sphere or cylinder).
        const WATER_CONTACT = 0x8;
        /// Could not move for one tick.
        const STATIONARY_1 = 0x10;
        /// Could not move for two ticks.
        const STATIONARY_2 = 0x20;
        /// Could not move for three ticks.
        const STATIONARY_3 = 0x40;
        /// Is updated.
        const ACTIVE = 0x80;
        /// Wants to become solid again.
        const RECHECK_ETHEREAL = 0x100;
    }

    /// Properties of the mover of a sweep. Retail: `ObjectInfo` state.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub struct MoverFlags: u32 {
        /// On the ground.
        const CONTACT = 0x1;
        /// On walkable ground.
        const ON_WALKABLE = 0x2;
        /// The camera.
        const VIEWER = 0x4;
        /// Stops at the first hit.
        const PATH_CLIPPED = 0x8;
        /// Turns without being collided.
        const FREE_ROTATE = 0x10;
        /// The stop is refined to the exact point.
        const PERFECT_CLIP = 0x40;
        /// Collides with players.
        const IMPENETRABLE = 0x80;
        /// A player.
        const PLAYER = 0x100;
        /// Slides along edges.
        const EDGE_SLIDE = 0x200;
        /// Passes creatures, but reports them.
        const IGNORE_CREATURES = 0x400;
        /// Player killer.
        const PK = 0x800;
        /// Player killer, lite.
        const PK_LITE = 0x1000;
    }
}

impl State {
    /// State of a new object: EDGE_SLIDE, LIGHTING_ON, GRAVITY, REPORT_COLLISIONS.
    pub const DEFAULT: State = State::from_bits_retain(0x0040_0C08);
}

impl MoverFlags {
    /// Flags of the camera's sweep.
    pub const CAMERA: MoverFlags = MoverFlags::from_bits_retain(0x5C);

    /// These flags if something holds, else none.
    #[inline]
    pub(crate) fn when(self, holds: bool) -> MoverFlags {
        MoverFlags::from_bits_retain(self.bits() * u32::from(holds))
    }
}
