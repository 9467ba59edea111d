using System;
using System.Collections.Generic;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;
using Threshold.Interop;

namespace Threshold
{
    /// <summary>
    /// A running world: cells, objects, doors, players, and queries about them. Use a world from one thread at a
    /// time; several worlds may be used in parallel.
    /// </summary>
    public sealed unsafe partial class World : IDisposable
    {
        private const uint Abi = 1;
        private readonly WorldHandle handle;

        private sealed class WorldHandle : SafeHandle
        {
            internal WorldHandle(ThWorld* world) : base(IntPtr.Zero, true)
            {
                SetHandle((IntPtr)world);
            }

            public override bool IsInvalid
            {
                get { return handle == IntPtr.Zero; }
            }

            protected override bool ReleaseHandle()
            {
                return Native.th_close((ThWorld*)handle) == ThStatus.Ok;
            }
        }

        private World(ThWorld* world)
        {
            handle = new WorldHandle(world);
        }

        static World()
        {
            if (Native.th_abi() != Abi)
            {
                throw new DllNotFoundException("libthreshold has another version than this assembly");
            }
            Same(sizeof(Position), sizeof(ThPosition));
            Same(sizeof(Hit), sizeof(ThHit));
            Same(sizeof(Walker), sizeof(ThWalker));
            Same(sizeof(SightLine), sizeof(ThSight));
            Same(sizeof(Ray), sizeof(ThRay));
            Same(sizeof(SphereSweep), sizeof(ThSweep));
            Same(sizeof(Swept), sizeof(ThSwept));
            Same(sizeof(PathReport), sizeof(ThPathReport));
            Same(sizeof(JumpReport), sizeof(ThJumpReport));
            Same(sizeof(NewObject), sizeof(ThSpawn));
            Same(sizeof(EntityInfo), sizeof(ThEntityInfo));
            Same(sizeof(Camera), sizeof(ThCamera));
            Same(sizeof(MapTile), sizeof(ThTile));
            Same(sizeof(PlanCell), sizeof(ThPlanCell));
            Same(sizeof(PlanRegion), sizeof(ThPlanRegion));
            Same(sizeof(PlanStep), sizeof(ThPlanStep));
            Same(sizeof(PlanPart), sizeof(ThPlanPart));
            Same(sizeof(Update), sizeof(ThUpdate));
            Same(sizeof(Description), sizeof(ThDescription));
            Same(sizeof(Movement), sizeof(ThMovement));
        }

        private static void Same(int size, int native)
        {
            if (size != native)
            {
                throw new TypeLoadException("a struct has another size than in libthreshold");
            }
        }

        /// <summary>The library's handle of the world; the library refuses it once it is closed.</summary>
        internal ThWorld* Handle
        {
            get { return (ThWorld*)handle.DangerousGetHandle(); }
        }

        internal void Check(ThStatus status)
        {
            GC.KeepAlive(this);
            if (status != ThStatus.Ok)
            {
                Refusal.Check(status);
            }
        }

        internal delegate ThStatus Fill(void* buffer, uint capacity, uint* count);

        /// <summary>Fetches results of variable length: first their count, then the results.</summary>
        internal T[] Array<T>(Fill fill) where T : struct
        {
            uint count;
            Check(fill(null, 0, &count));
            while (count > 0)
            {
                var found = new T[count];
                ThStatus status;
                GCHandle pinned = GCHandle.Alloc(found, GCHandleType.Pinned);
                try
                {
                    status = fill((void*)pinned.AddrOfPinnedObject(), count, &count);
                }
                finally
                {
                    pinned.Free();
                }
                if (status == ThStatus.TooSmall)
                {
                    continue;
                }
                Check(status);
                System.Array.Resize(ref found, (int)count);
                return found;
            }
            return System.Array.Empty<T>();
        }

        private delegate ThStatus WithText(byte* text, uint length);

        private void ByText(string text, WithText call)
        {
            if (text == null)
            {
                throw new ArgumentNullException(nameof(text));
            }
            byte[] bytes = Encoding.UTF8.GetBytes(text);
            fixed (byte* start = bytes)
            {
                Check(call(start, (uint)bytes.Length));
            }
        }

        /// <summary>Opens a folder with client_portal.dat and client_cell_1.dat.</summary>
        public static World Open(string folder, Residency residency = Residency.Automatic)
        {
            if (folder == null)
            {
                throw new ArgumentNullException(nameof(folder));
            }
            ThWorld* world;
            byte[] bytes = Encoding.UTF8.GetBytes(folder);
            fixed (byte* start = bytes)
            {
                Refusal.Check(Native.th_open(start, (uint)bytes.Length, (uint)residency, &world));
            }
            return new World(world);
        }

        /// <summary>Opens the built-in sample world.</summary>
        public static World OpenSample(Residency residency = Residency.Automatic)
        {
            ThWorld* world;
            Refusal.Check(Native.th_open_sample((uint)residency, &world));
            return new World(world);
        }

        /// <summary>Opens another world that shares the data; another thread may use it at the same time.</summary>
        public World OpenAnother(Residency residency = Residency.Automatic)
        {
            ThWorld* another;
            Check(Native.th_open_another(Handle, (uint)residency, &another));
            return new World(another);
        }

        /// <summary>Closes the world.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>Ids of the blocks that the data files have, such as 0xA9B4.</summary>
        public uint[] Blocks()
        {
            return Array<uint>((buffer, capacity, count) =>
                Native.th_blocks(Handle, (uint*)buffer, capacity, count));
        }

        /// <summary>Loads a block with all its cells and keeps it until <see cref="Unload"/> is called with the returned number.</summary>
        public uint LoadBlock(uint block, out bool hasTerrain)
        {
            uint observer, terrain;
            Check(Native.th_load_block(Handle, block, &observer, &terrain));
            hasTerrain = terrain != 0;
            return observer;
        }

        /// <summary>Loads everything visible from a place and keeps it until <see cref="Unload"/> is called with the returned number.</summary>
        public uint LoadAround(Position place)
        {
            uint observer;
            Check(Native.th_load_around(Handle, (ThPosition*)&place, &observer));
            return observer;
        }

        /// <summary>Moves an observer of <see cref="LoadAround"/> to another place.</summary>
        public void MoveObserver(uint observer, Position place)
        {
            Check(Native.th_move_observer(Handle, observer, (ThPosition*)&place));
        }

        /// <summary>Removes an observer; blocks that no other observer needs are unloaded.</summary>
        public void Unload(uint observer)
        {
            Check(Native.th_unload(Handle, observer));
        }

        /// <summary>The position that a text denotes: a named place, the output of /loc, or map coordinates.</summary>
        public Position FindPlace(string text)
        {
            Position place = default(Position);
            ByText(text, (start, length) =>
            {
                Position found;
                ThStatus status = Native.th_find_place(Handle, start, length, (ThPosition*)&found);
                place = found;
                return status;
            });
            return place;
        }

        /// <summary>Names of the places.</summary>
        public string[] PlaceNames()
        {
            byte[] text = Array<byte>((buffer, capacity, count) =>
                Native.th_place_names(Handle, (byte*)buffer, capacity, count));
            return Encoding.UTF8.GetString(text).Split(new[] { '\n' }, StringSplitOptions.RemoveEmptyEntries);
        }

        /// <summary>One tick of a thirtieth of a second.</summary>
        public void Tick()
        {
            Check(Native.th_tick(Handle));
        }

        /// <summary>Advances time, by at most an hour.</summary>
        public void Advance(double seconds)
        {
            Check(Native.th_advance(Handle, seconds));
        }

        /// <summary>Ticks since the start.</summary>
        public ulong Ticks
        {
            get
            {
                ulong ticks;
                Check(Native.th_ticks(Handle, &ticks));
                return ticks;
            }
        }

        /// <summary>A hash of everything that can change; the same on every machine.</summary>
        public ulong StateHash
        {
            get
            {
                ulong hash;
                Check(Native.th_state_hash(Handle, &hash));
                return hash;
            }
        }

        /// <summary>Everything that can change, as bytes.</summary>
        public byte[] Snapshot()
        {
            return Array<byte>((buffer, capacity, count) =>
                Native.th_snapshot(Handle, (byte*)buffer, capacity, count));
        }

        /// <summary>Restores the state of a snapshot.</summary>
        public void Restore(ReadOnlySpan<byte> snapshot)
        {
            fixed (byte* bytes = snapshot)
            {
                Check(Native.th_restore(Handle, bytes, (uint)snapshot.Length));
            }
        }

        /// <summary>Spawns an object exactly at the given position.</summary>
        public Entity Spawn(NewObject spawn)
        {
            ulong id;
            Check(Native.th_spawn(Handle, (ThSpawn*)&spawn, &id));
            return new Entity(this, id);
        }

        /// <summary>Spawns a player controlled by keys.</summary>
        public Entity SpawnPlayer(Position place)
        {
            return SpawnPlayer(place, Skills.Average);
        }

        /// <summary>Spawns a player with given skills, controlled by keys.</summary>
        public Entity SpawnPlayer(Position place, Skills skills)
        {
            ulong id;
            Check(Native.th_spawn_player(Handle, (ThPosition*)&place, (ThSkills*)&skills, &id));
            return new Entity(this, id);
        }

        /// <summary>All objects, including scenery and statics.</summary>
        public IReadOnlyList<Entity> Entities()
        {
            return Named((buffer, capacity, count) =>
                Native.th_entities(Handle, (ulong*)buffer, capacity, count));
        }

        private Entity[] Named(Fill fill)
        {
            return System.Array.ConvertAll(Array<ulong>(fill), id => new Entity(this, id));
        }

        /// <summary>The object with this id, if it still exists.</summary>
        public Entity Entity(ulong id)
        {
            return new Entity(this, id);
        }

        /// <summary>The object with a game id.</summary>
        public Entity Find(uint guid)
        {
            ulong id;
            Check(Native.th_find(Handle, guid, &id));
            return new Entity(this, id);
        }

        /// <summary>The placed object with a name (case-insensitive).</summary>
        public Entity Find(string name)
        {
            ulong id = 0;
            ByText(name, (start, length) =>
            {
                ulong found;
                ThStatus status = Native.th_find_by_name(Handle, start, length, &found);
                id = found;
                return status;
            });
            return new Entity(this, id);
        }

        /// <summary>Objects whose cell this is.</summary>
        public IReadOnlyList<Entity> Residents(uint cell)
        {
            return Named((buffer, capacity, count) =>
                Native.th_residents(Handle, cell, (ulong*)buffer, capacity, count));
        }

        /// <summary>Objects within a distance of a place, nearest first.</summary>
        public IReadOnlyList<Entity> ObjectsWithin(Position place, float metres)
        {
            return Named((buffer, capacity, count) =>
            {
                Position at = place;
                return Native.th_objects_within(Handle, (ThPosition*)&at, metres, (ulong*)buffer, capacity, count);
            });
        }

        /// <summary>Events since the last call, in order.</summary>
        public Event[] Events()
        {
            ThEvent[] raw = Array<ThEvent>((buffer, capacity, count) =>
                Native.th_events(Handle, (ThEvent*)buffer, capacity, count));
            return System.Array.ConvertAll(raw, found => new Event(found, found.text == 0 ? null : Text(found.text)));
        }

        private string Text(uint number)
        {
            return Encoding.UTF8.GetString(Array<byte>((buffer, capacity, count) =>
                Native.th_event_text(Handle, number, (byte*)buffer, capacity, count)));
        }

        /// <summary>The height of the land at a place; null where no land is loaded.</summary>
        public float? GroundHeight(Position place)
        {
            float height;
            ThStatus status = Native.th_ground_height(Handle, (ThPosition*)&place, &height);
            return Found(status) ? height : (float?)null;
        }

        /// <summary>Whether something was found; throws on any other error.</summary>
        private bool Found(ThStatus status)
        {
            if (status == ThStatus.NotFound)
            {
                GC.KeepAlive(this);
                return false;
            }
            Check(status);
            return true;
        }

        /// <summary>The ground, floor or solid object under a point.</summary>
        public Hit Ground(Position place)
        {
            Hit hit;
            Check(Native.th_ground(Handle, (ThPosition*)&place, (ThHit*)&hit));
            return hit;
        }

        /// <summary>The ceiling or solid object over a point.</summary>
        public Hit Ceiling(Position place)
        {
            Hit hit;
            Check(Native.th_ceiling(Handle, (ThPosition*)&place, (ThHit*)&hit));
            return hit;
        }

        /// <summary>Finds the cell of a position from an outside source; null when no cell contains it.</summary>
        public Position? Reseat(Position position, Vector3 reference = default(Vector3))
        {
            Position seated;
            ThStatus status =
                Native.th_reseat(Handle, (ThPosition*)&position, (ThVec3*)&reference, (ThPosition*)&seated);
            return Found(status) ? seated : (Position?)null;
        }

        /// <summary>Cells that a sphere touches, its own first.</summary>
        public uint[] CellsOfSphere(Position center, float radius)
        {
            return Array<uint>((buffer, capacity, count) =>
            {
                Position at = center;
                return Native.th_cells_of_sphere(Handle, (ThPosition*)&at, radius, (uint*)buffer, capacity, count);
            });
        }

        /// <summary>Interior cells visible from an interior cell, including itself.</summary>
        public uint[] VisibleCells(uint cell)
        {
            return Array<uint>((buffer, capacity, count) =>
                Native.th_visible_cells(Handle, cell, (uint*)buffer, capacity, count));
        }

        /// <summary>The first thing that a ray hits.</summary>
        public Hit Cast(Ray ray)
        {
            Hit hit;
            Check(Native.th_cast(Handle, (ThRay*)&ray, (ThHit*)&hit));
            return hit;
        }

        /// <summary>Like <see cref="Cast(Ray)"/> for many rays, on all processors.</summary>
        public void Cast(ReadOnlySpan<Ray> rays, Span<Hit> hits)
        {
            SameLength(rays.Length, hits.Length);
            fixed (Ray* first = rays)
            fixed (Hit* found = hits)
            {
                Check(Native.th_casts(Handle, (ThRay*)first, (uint)rays.Length, (ThHit*)found));
            }
        }

        private static void SameLength(int questions, int answers)
        {
            if (questions != answers)
            {
                throw new ArgumentException("there must be room for as many answers as there are questions");
            }
        }

        /// <summary>Checks a line of sight: nothing when it is clear, otherwise the obstacle.</summary>
        public Hit LineOfSight(Spot from, Spot to, float radius = 0)
        {
            Hit hit;
            Check(Native.th_line_of_sight(Handle, (ThSpot*)&from, (ThSpot*)&to, radius, (ThHit*)&hit));
            return hit;
        }

        /// <summary>Like <see cref="LineOfSight(Spot, Spot, float)"/> for many pairs, on all processors.</summary>
        public void LineOfSight(ReadOnlySpan<SightLine> lines, Span<Hit> blockers, float radius = 0)
        {
            SameLength(lines.Length, blockers.Length);
            fixed (SightLine* first = lines)
            fixed (Hit* found = blockers)
            {
                Check(Native.th_lines_of_sight(Handle, (ThSight*)first, (uint)lines.Length, radius, (ThHit*)found));
            }
        }

        /// <summary>Sweeps a sphere through everything solid; the world does not change.</summary>
        public Swept Sweep(SphereSweep sweep)
        {
            Swept swept;
            Check(Native.th_sweep_sphere(Handle, (ThSweep*)&sweep, (ThSwept*)&swept));
            return swept;
        }

        /// <summary>Like <see cref="Sweep(SphereSweep)"/> for many spheres, on all processors.</summary>
        public void Sweep(ReadOnlySpan<SphereSweep> sweeps, Span<Swept> swept)
        {
            SameLength(sweeps.Length, swept.Length);
            fixed (SphereSweep* first = sweeps)
            fixed (Swept* found = swept)
            {
                Check(Native.th_sweep_spheres(Handle, (ThSweep*)first, (uint)sweeps.Length, (ThSwept*)found));
            }
        }

        /// <summary>Moves a player's body along a path and reports how far it gets and what stops it; the world does not change.</summary>
        public PathReport CheckPath(Position from, params Position[] legs)
        {
            return CheckPath(Walker.Player, from, legs);
        }

        /// <summary>Moves a body along a path and reports how far it gets and what stops it; the world does not change.</summary>
        public PathReport CheckPath(Walker walker, Position from, ReadOnlySpan<Position> legs)
        {
            PathReport report;
            fixed (Position* first = legs)
            {
                Check(Native.th_check_path(Handle, (ThWalker*)&walker, (ThPosition*)&from, (ThPosition*)first,
                    (uint)legs.Length, (ThPathReport*)&report));
            }
            return report;
        }

        /// <summary>Like CheckPath for many paths, each beginning with its start, on all processors.</summary>
        public PathReport[] CheckPaths(Walker walker, IReadOnlyList<Position[]> paths)
        {
            var legs = new List<Position>();
            var raw = new ThPath[paths.Count];
            for (int i = 0; i < raw.Length; i++)
            {
                if (paths[i].Length == 0)
                {
                    throw new ArgumentException("a path without a beginning");
                }
                Position from = paths[i][0];
                raw[i].from = *(ThPosition*)&from;
                raw[i].first_leg = (uint)legs.Count;
                raw[i].leg_count = (uint)(paths[i].Length - 1);
                for (int leg = 1; leg < paths[i].Length; leg++)
                {
                    legs.Add(paths[i][leg]);
                }
            }
            var reports = new PathReport[raw.Length];
            fixed (ThPath* first = raw)
            fixed (Position* all = legs.ToArray())
            fixed (PathReport* found = reports)
            {
                Check(Native.th_check_paths(Handle, (ThWalker*)&walker, first, (uint)raw.Length, (ThPosition*)all,
                    (uint)legs.Count, (ThPathReport*)found));
            }
            return reports;
        }

        /// <summary>Finds the shortest route for a player and proves it by walking it, or reports where the reachable region ends.</summary>
        public Route FindPath(Position from, Position to)
        {
            return FindPath(Walker.Player, from, to, PathPolicy.Default);
        }

        /// <summary>Finds the shortest route for a body and proves it by walking it, or reports where the reachable region ends.</summary>
        public Route FindPath(Walker walker, Position from, Position to, PathPolicy policy)
        {
            ThRoute found;
            Check(Native.th_find_path(Handle, (ThWalker*)&walker, (ThPosition*)&from, (ThPosition*)&to,
                (ThPathPolicy*)&policy, &found));
            return new Route(this, found);
        }

        /// <summary>Simulates a jump until the body lands; the arc has a position per tick.</summary>
        public JumpReport SimulateJump(Walker walker, Position from, Keys keys, float power, out Position[] arc)
        {
            var jump = new ThJump { from = *(ThPosition*)&from, keys = (uint)keys, power = power };
            JumpReport report = default(JumpReport);
            Walker who = walker;
            arc = Array<Position>((buffer, capacity, count) =>
            {
                ThJump asked = jump;
                Walker body = who;
                JumpReport found;
                ThStatus status = Native.th_simulate_jump(Handle, (ThWalker*)&body, &asked, (ThJumpReport*)&found,
                    (ThPosition*)buffer, capacity, count);
                report = found;
                return status;
            });
            return report;
        }

        /// <summary>Where a body placed here comes to stand; null when there is no room or no ground.</summary>
        public Position? StandAt(Walker walker, Position place)
        {
            Position stands;
            ThStatus status =
                Native.th_stand_at(Handle, (ThWalker*)&walker, (ThPosition*)&place, (ThPosition*)&stands);
            return Found(status) ? stands : (Position?)null;
        }

        /// <summary>A random spot within a distance where a body can stand; the same seed gives the same spot.</summary>
        public Position? RandomStandable(Walker walker, Position center, float metres, ulong seed)
        {
            return Standable(walker, new ThArea { center = *(ThPosition*)&center, metres = metres }, seed);
        }

        /// <summary>A random spot in a cell where a body can stand; the same seed gives the same spot.</summary>
        public Position? RandomStandable(Walker walker, uint cell, ulong seed)
        {
            return Standable(walker, new ThArea { cell = cell }, seed);
        }

        private Position? Standable(Walker walker, ThArea area, ulong seed)
        {
            Position spot;
            ThStatus status =
                Native.th_random_standable(Handle, (ThWalker*)&walker, &area, seed, (ThPosition*)&spot);
            return Found(status) ? spot : (Position?)null;
        }
    }
}
