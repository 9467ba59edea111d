using System;
using System.Globalization;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Threshold
{
    /// <summary>A rotation; all zeros mean no rotation: upright, facing north.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Rotation : IEquatable<Rotation>
    {
        /// <summary>A rotation by its parts.</summary>
        public Rotation(float w, float x, float y, float z)
        {
            W = w;
            X = x;
            Y = y;
            Z = z;
        }

        /// <summary>Real part.</summary>
        public readonly float W;
        /// <summary>Imaginary part, east.</summary>
        public readonly float X;
        /// <summary>Imaginary part, north.</summary>
        public readonly float Y;
        /// <summary>Imaginary part, up.</summary>
        public readonly float Z;

        /// <summary>Upright, facing a heading in degrees, clockwise from north.</summary>
        public static Rotation FromHeading(double degrees)
        {
            double half = -degrees * Math.PI / 360;
            return new Rotation((float)Math.Cos(half), 0, 0, (float)Math.Sin(half));
        }

        /// <inheritdoc/>
        public bool Equals(Rotation other)
        {
            return W == other.W && X == other.X && Y == other.Y && Z == other.Z;
        }

        /// <inheritdoc/>
        public override bool Equals(object obj)
        {
            return obj is Rotation && Equals((Rotation)obj);
        }

        /// <inheritdoc/>
        public override int GetHashCode()
        {
            return W.GetHashCode() ^ X.GetHashCode() ^ Y.GetHashCode() ^ Z.GetHashCode();
        }
    }

    /// <summary>A place: a cell, and an origin in metres from the south-west corner of the cell's block.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Position : IEquatable<Position>
    {
        /// <summary>A place.</summary>
        public Position(uint cell, Vector3 origin, Rotation rotation = default(Rotation))
        {
            Cell = cell;
            Origin = origin;
            Rotation = rotation;
        }

        /// <summary>The cell, such as 0xA9B40019.</summary>
        public readonly uint Cell;
        /// <summary>Where.</summary>
        public readonly Vector3 Origin;
        /// <summary>Its rotation.</summary>
        public readonly Rotation Rotation;

        /// <summary>Whether the cell is inside a building or dungeon.</summary>
        public bool IsInside
        {
            get { return (Cell & 0xFFFF) >= 0x100; }
        }

        /// <summary>This position moved by some metres; the cell stays the same.</summary>
        public Position Moved(Vector3 by)
        {
            return new Position(Cell, Origin + by, Rotation);
        }

        /// <inheritdoc/>
        public bool Equals(Position other)
        {
            return Cell == other.Cell && Origin == other.Origin && Rotation.Equals(other.Rotation);
        }

        /// <inheritdoc/>
        public override bool Equals(object obj)
        {
            return obj is Position && Equals((Position)obj);
        }

        /// <inheritdoc/>
        public override int GetHashCode()
        {
            return (int)Cell ^ Origin.GetHashCode();
        }

        /// <summary>As the game's /loc prints it.</summary>
        public override string ToString()
        {
            return string.Format(CultureInfo.InvariantCulture, "0x{0:X8} [{1} {2} {3}] {4} {5} {6} {7}",
                Cell, Origin.X, Origin.Y, Origin.Z, Rotation.W, Rotation.X, Rotation.Y, Rotation.Z);
        }
    }

    /// <summary>Kinds of obstacles.</summary>
    public enum TargetKind : uint
    {
        /// <summary>Nothing.</summary>
        None = 0,
        /// <summary>An object.</summary>
        Entity = 1,
        /// <summary>A wall, floor or ceiling of an interior cell.</summary>
        Room = 2,
        /// <summary>The outside of a building.</summary>
        Shell = 3,
        /// <summary>The ground of a land cell.</summary>
        Ground = 4,
    }

    /// <summary>An obstacle.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Target
    {
        /// <summary>Its kind.</summary>
        public readonly TargetKind Kind;
        /// <summary>The cell of a room, shell or ground; 0 for an object.</summary>
        public readonly uint Cell;
        /// <summary>The object; 0 for none.</summary>
        public readonly ulong Entity;

        /// <summary>Whether it is an object.</summary>
        public bool Is(Entity entity)
        {
            return Kind == TargetKind.Entity && Entity == entity.Id;
        }
    }

    /// <summary>The first thing that a ray hit; nothing when the kind of its target is <see cref="TargetKind.None"/>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Hit
    {
        /// <summary>What.</summary>
        public readonly Target Target;
        /// <summary>Metres from the start of the ray.</summary>
        public readonly float Distance;
        /// <summary>Where, in the coordinates of the block of <see cref="Cell"/>.</summary>
        public readonly Vector3 Point;
        /// <summary>The cell that the ray was in.</summary>
        public readonly uint Cell;
        private readonly uint reserved;

        /// <summary>Whether nothing was hit.</summary>
        public bool IsNothing
        {
            get { return Target.Kind == TargetKind.None; }
        }
    }

    /// <summary>Skills of a body.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Skills
    {
        /// <summary>Run skill.</summary>
        public uint Run;
        /// <summary>Jump skill.</summary>
        public uint Jump;
        /// <summary>Burden as a fraction of capacity: below 1 it has no effect.</summary>
        public float Burden;

        /// <summary>Skills of a player of average skill.</summary>
        public static readonly Skills Average = new Skills { Run = 200, Jump = 200 };
    }

    /// <summary>Keys that are held.</summary>
    [Flags]
    public enum Keys : uint
    {
        /// <summary>None.</summary>
        None = 0,
        /// <summary>Ahead.</summary>
        Forward = 1,
        /// <summary>Backwards.</summary>
        Back = 2,
        /// <summary>A step to the left.</summary>
        Left = 4,
        /// <summary>A step to the right.</summary>
        Right = 8,
        /// <summary>Turn left.</summary>
        TurnLeft = 16,
        /// <summary>Turn right.</summary>
        TurnRight = 32,
        /// <summary>Walk instead of running.</summary>
        Walk = 64,
        /// <summary>Charge a jump; releasing the key jumps.</summary>
        Jump = 128,
    }

    /// <summary>Which parts of a world are loaded.</summary>
    public enum Residency : uint
    {
        /// <summary>A small world completely, a large one around its observers.</summary>
        Automatic = 0,
        /// <summary>Everything, from the start.</summary>
        Whole = 1,
        /// <summary>What observers need: players, and the observers of LoadBlock and LoadAround.</summary>
        Observed = 2,
    }

    /// <summary>A body that walks.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Walker
    {
        private readonly uint body;
        private readonly uint walks;
        private readonly uint setup;
        private readonly float scale;
        private readonly ulong entity;
        private readonly Skills skills;
        private readonly uint reserved;

        private Walker(uint body, uint walks, uint setup, float scale, ulong entity, Skills skills)
        {
            this.body = body;
            this.walks = walks;
            this.setup = setup;
            this.scale = scale;
            this.entity = entity;
            this.skills = skills;
            reserved = 0;
        }

        /// <summary>A running player of average skill.</summary>
        public static readonly Walker Player = new Walker(0, 0, 0, 1, 0, Skills.Average);

        /// <summary>A creature with a setup and a size.</summary>
        public static Walker Creature(uint setup, float scale = 1)
        {
            return new Walker(1, 0, setup, scale, 0, Skills.Average);
        }

        /// <summary>A body like that of an object, which does not hit the object itself.</summary>
        public static Walker Like(Entity entity)
        {
            return new Walker(2, 0, 0, 1, entity.Id, Skills.Average);
        }

        /// <summary>A copy with other skills.</summary>
        public Walker With(Skills skills)
        {
            return new Walker(body, walks, setup, scale, entity, skills);
        }

        /// <summary>A copy that walks instead of running.</summary>
        public Walker Walking()
        {
            return new Walker(body, 1, setup, scale, entity, skills);
        }
    }

    /// <summary>An end of a line of sight.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Spot
    {
        private readonly ulong entity;
        private readonly Position position;

        private Spot(ulong entity, Position position)
        {
            this.entity = entity;
            this.position = position;
        }

        /// <summary>A place.</summary>
        public static implicit operator Spot(Position position)
        {
            return new Spot(0, position);
        }

        /// <summary>An object, at five sixths of its height; it never blocks the line itself.</summary>
        public static implicit operator Spot(Entity entity)
        {
            return new Spot(entity.Id, default(Position));
        }
    }

    /// <summary>The two ends of a line of sight.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct SightLine
    {
        /// <summary>From one spot to another.</summary>
        public SightLine(Spot from, Spot to)
        {
            this.from = from;
            this.to = to;
        }

        private readonly Spot from;
        private readonly Spot to;
    }

    /// <summary>Which objects stop a ray.</summary>
    public enum Blockers : uint
    {
        /// <summary>Everything that can be pointed at, including open doors and creatures.</summary>
        Everything = 0,
        /// <summary>Solid objects; not living or ethereal ones, such as open doors.</summary>
        Solid = 1,
        /// <summary>No objects, only walls, shells and the ground.</summary>
        Environment = 2,
    }

    /// <summary>A ray to be cast.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Ray
    {
        /// <summary>Where it begins.</summary>
        public Position From;
        /// <summary>Where it goes; need not be a unit vector.</summary>
        public Vector3 Direction;
        /// <summary>How far it goes, in metres.</summary>
        public float Reach;
        /// <summary>Which objects stop it.</summary>
        public Blockers Blockers;
    }

    /// <summary>How a sphere reacts to obstacles.</summary>
    public enum SphereKind : uint
    {
        /// <summary>Stops at the first obstacle; passes through living and ethereal objects.</summary>
        Camera = 0,
        /// <summary>Stops at the first obstacle, including creatures.</summary>
        Missile = 1,
        /// <summary>Slides along obstacles.</summary>
        Slide = 2,
    }

    /// <summary>A sphere to be swept.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct SphereSweep
    {
        /// <summary>Its centre at the start.</summary>
        public Position From;
        /// <summary>The target of its centre.</summary>
        public Position To;
        /// <summary>Metres.</summary>
        public float Radius;
        /// <summary>How it behaves.</summary>
        public SphereKind Kind;
    }

    /// <summary>How a sweep ended.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Swept
    {
        /// <summary>Where it ended, in the cell it was in.</summary>
        public readonly Position Position;
        private readonly uint isValid;
        /// <summary>Metres left to the target.</summary>
        public readonly float Remaining;
        /// <summary>The last obstacle it hit.</summary>
        public readonly Target Target;
        /// <summary>The surface normal of that obstacle.</summary>
        public readonly Vector3 Normal;
        private readonly uint reserved;

        /// <summary>Whether it ended at a valid position in a loaded cell.</summary>
        public bool IsValid
        {
            get { return isValid != 0; }
        }
    }

    /// <summary>Why a path cannot be walked.</summary>
    public enum Stop : uint
    {
        /// <summary>Every leg was completed.</summary>
        None = 0,
        /// <summary>There is no room or no ground at the start of the path.</summary>
        NoRoom = 1,
        /// <summary>Something is in the way.</summary>
        Blocked = 2,
        /// <summary>The end of the leg was reached, but above or below it.</summary>
        OtherLevel = 3,
        /// <summary>The body left the loaded world.</summary>
        Lost = 4,
        /// <summary>The path takes longer than an hour.</summary>
        TooLong = 5,
    }

    /// <summary>The result of walking a path.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct PathReport
    {
        /// <summary>Where the body was at the end.</summary>
        public readonly Position End;
        /// <summary>Number of completed legs; it stopped in the next one.</summary>
        public readonly uint Legs;
        /// <summary>Why it stopped.</summary>
        public readonly Stop Stop;
        /// <summary>The obstacle, if there is one.</summary>
        public readonly Target Blocker;
        /// <summary>Seconds walked.</summary>
        public readonly float Seconds;
        /// <summary>Metres walked, seen from above.</summary>
        public readonly float Metres;
        /// <summary>The deepest fall on the path, in metres.</summary>
        public readonly float DeepestFall;
        private readonly uint reserved;

        /// <summary>Whether every leg was completed.</summary>
        public bool Holds
        {
            get { return Stop == Stop.None; }
        }
    }

    /// <summary>How a jump ended.</summary>
    public enum JumpEnd : uint
    {
        /// <summary>On walkable ground.</summary>
        Landed = 0,
        /// <summary>The body could not take off.</summary>
        NoFooting = 1,
        /// <summary>Outside the loaded world.</summary>
        Lost = 2,
        /// <summary>It was still in the air after half a minute, or stuck between walls.</summary>
        Stuck = 3,
    }

    /// <summary>The result of a jump.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct JumpReport
    {
        /// <summary>How it ended.</summary>
        public readonly JumpEnd End;
        /// <summary>Seconds in the air.</summary>
        public readonly float Seconds;
        /// <summary>Metres from take-off to the highest point.</summary>
        public readonly float Height;
        /// <summary>Metres from the highest point down to the end.</summary>
        public readonly float Fall;
        /// <summary>Where the body was at the end.</summary>
        public readonly Position Landing;
        /// <summary>The first thing that was hit in the air.</summary>
        public readonly Target Bumped;
    }

    /// <summary>State of a door.</summary>
    public enum Door : uint
    {
        /// <summary>The object is not a door.</summary>
        None = 0,
        /// <summary>It is closed.</summary>
        Closed = 1,
        /// <summary>It is open.</summary>
        Open = 2,
        /// <summary>It stays open because something is in the way.</summary>
        Blocked = 3,
    }

    /// <summary>Result of a placement.</summary>
    public enum Placement : uint
    {
        /// <summary>The object was placed.</summary>
        Placed = 0,
        /// <summary>There is no room.</summary>
        NoRoom = 1,
        /// <summary>There is no cell.</summary>
        NoCell = 2,
        /// <summary>There is no room because of a reported collision.</summary>
        Collided = 3,
    }

    /// <summary>Properties of an object in the game.</summary>
    [Flags]
    public enum Role : uint
    {
        /// <summary>A thing.</summary>
        None = 0,
        /// <summary>A player that the caller moves.</summary>
        Player = 1,
        /// <summary>A living object.</summary>
        Creature = 2,
        /// <summary>Players collide with it.</summary>
        Impenetrable = 4,
        /// <summary>Player killer.</summary>
        Pk = 8,
        /// <summary>Player killer, lite.</summary>
        PkLite = 16,
        /// <summary>A door.</summary>
        Door = 32,
    }

    /// <summary>Parameters for spawning an object.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct NewObject
    {
        /// <summary>Game id, which must not be in use; 0 for none.</summary>
        public uint Guid;
        /// <summary>Setup or GfxObj.</summary>
        public uint Setup;
        /// <summary>Its exact position.</summary>
        public Position Position;
        /// <summary>State word of the game.</summary>
        public uint State;
        /// <summary>Scale; 0 means 1.</summary>
        public float Scale;
        /// <summary>Its properties in the game.</summary>
        public Role Role;
    }

    /// <summary>The state of an object at one moment.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct EntityInfo
    {
        /// <summary>Game id; 0 for none.</summary>
        public readonly uint Guid;
        /// <summary>Setup or GfxObj.</summary>
        public readonly uint Setup;
        /// <summary>Where it is.</summary>
        public readonly Position Position;
        /// <summary>The loaded cell it is in; 0 for none.</summary>
        public readonly uint LoadedCell;
        /// <summary>State word of the game.</summary>
        public readonly uint State;
        private readonly uint transient;
        /// <summary>Size.</summary>
        public readonly float Scale;
        /// <summary>Metres per second.</summary>
        public readonly Vector3 Velocity;
        /// <summary>State of the door, if it is one.</summary>
        public readonly Door Door;
        /// <summary>Height in metres.</summary>
        public readonly float Height;
        /// <summary>Radius in metres.</summary>
        public readonly float Radius;

        /// <summary>Whether it stands on ground that one can walk on.</summary>
        public bool Stands
        {
            get { return (transient & 3) == 3; }
        }
    }

    /// <summary>Kinds of events.</summary>
    public enum EventKind : uint
    {
        /// <summary>An event that this version does not know.</summary>
        Other = 0,
        /// <summary>An object is in another cell.</summary>
        CellChanged = 1,
        /// <summary>An object touched another one for the first time.</summary>
        Touched = 2,
        /// <summary>Such a contact has ended.</summary>
        Separated = 3,
        /// <summary>An object hit walls or ground.</summary>
        HitEnvironment = 4,
        /// <summary>An object left walkable ground.</summary>
        LeftGround = 5,
        /// <summary>An object reached walkable ground.</summary>
        HitGround = 6,
        /// <summary>An object is no longer in any loaded cell.</summary>
        Lost = 7,
        /// <summary>The cell that an object waited for has been loaded.</summary>
        Found = 8,
        /// <summary>A door opened.</summary>
        DoorOpened = 9,
        /// <summary>A door closed.</summary>
        DoorClosed = 10,
        /// <summary>A door cannot close.</summary>
        DoorBlocked = 11,
        /// <summary>A player started to teleport.</summary>
        Departed = 12,
        /// <summary>A player arrived at its destination.</summary>
        Arrived = 13,
        /// <summary>There was no room for a player at its destination.</summary>
        NoRoom = 14,
        /// <summary>A player fell out of the world and was put back.</summary>
        Rescued = 15,
        /// <summary>The land of a block has been loaded.</summary>
        BlockLoaded = 16,
        /// <summary>The land of a block has been unloaded.</summary>
        BlockUnloaded = 17,
        /// <summary>Data cannot be used.</summary>
        Problem = 18,
        /// <summary>A missile hit an object.</summary>
        MissileHit = 19,
        /// <summary>A server described an object.</summary>
        Created = 20,
        /// <summary>A described object was removed.</summary>
        Deleted = 21,
        /// <summary>The appearance of an object changed.</summary>
        Redressed = 22,
        /// <summary>An object plays a script.</summary>
        Script = 23,
        /// <summary>An object plays a sound.</summary>
        Sound = 24,
        /// <summary>A server described an object in a cell that the data files do not have.</summary>
        NoSuchPlace = 25,
        /// <summary>Updates wait for a description: ask the server for it.</summary>
        DescriptionWanted = 26,
        /// <summary>Updates that waited were dropped.</summary>
        UpdatesDropped = 27,
        /// <summary>An update that had waited was refused.</summary>
        UpdateRefused = 28,
        /// <summary>A motion of an object ended.</summary>
        MotionDone = 29,
        /// <summary>An animation hook ran, such as a footstep.</summary>
        HookRun = 30,
        /// <summary>A move-to of an object ended.</summary>
        MoveToEnded = 31,
        /// <summary>An object could not follow the positions that a server reported, and was moved to the last of them.</summary>
        GaveUpFollowing = 32,
        /// <summary>An object on its way to a place has found a route and sets out.</summary>
        SetOut = 33,
        /// <summary>An object reached the place it was on its way to.</summary>
        CameTo = 34,
        /// <summary>An object stopped on its way.</summary>
        GaveUpGoing = 35,
    }

    /// <summary>An event. threshold.h documents the fields for each kind.</summary>
    public readonly struct Event
    {
        internal Event(Interop.ThEvent raw, string text)
        {
            Kind = (EventKind)raw.kind;
            Entity = raw.entity;
            Other = raw.other;
            From = raw.from;
            To = raw.to;
            Position = new Position(raw.position.cell,
                new Vector3(raw.position.origin.x, raw.position.origin.y, raw.position.origin.z),
                new Rotation(raw.position.rotation.w, raw.position.rotation.x, raw.position.rotation.y,
                    raw.position.rotation.z));
            Velocity = new Vector3(raw.velocity.x, raw.velocity.y, raw.velocity.z);
            Flags = raw.flags;
            Text = text;
        }

        /// <summary>What.</summary>
        public readonly EventKind Kind;
        /// <summary>The object it is about; 0 for none.</summary>
        public readonly ulong Entity;
        /// <summary>The other object; 0 for none.</summary>
        public readonly ulong Other;
        /// <summary>Cell before; 0 for none.</summary>
        public readonly uint From;
        /// <summary>Cell after, or a block; 0 for none.</summary>
        public readonly uint To;
        /// <summary>Where.</summary>
        public readonly Position Position;
        /// <summary>How fast.</summary>
        public readonly Vector3 Velocity;
        /// <summary>Details, by kind.</summary>
        public readonly uint Flags;
        /// <summary>A description; null for most events.</summary>
        public readonly string Text;
    }
}
