using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Threading;

namespace Threshold.Tests
{
    /// <summary>
    /// Tests without a framework, so that mcs and mono can run them.
    /// <c>Tests.exe test PORTAL.dat FOLDER | walk SCRIPT | cost</c>
    /// </summary>
    internal static class Program
    {
        private static int Main(string[] args)
        {
            CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
            switch (args.Length > 0 ? args[0] + args.Length : "")
            {
                case "test3":
                    return RunTests(args[1], args[2]);
                case "walk2":
                    PlayScript(args[1]);
                    return 0;
                case "cost1":
                    CallCost();
                    return 0;
                default:
                    Console.Error.WriteLine("usage: Tests.exe test PORTAL.dat FOLDER | walk SCRIPT | cost");
                    return 2;
            }
        }

        private static int RunTests(string portal, string folder)
        {
            var tests = new Dictionary<string, Action>
            {
                { "a player walks through the cottage door only when it is open", WalksThroughTheDoor },
                { "a closed door blocks the view and an open one does not", SeesThroughTheDoor },
                { "a path over the stairs holds, and one through the floor does not", PathsOverStairs },
                { "a way to the cellar is walked before it is given out", Ways },
                { "jumps land where they should", Jumps },
                { "spots, ground and cells", SpotsAndCells },
                { "shapes and rays, one by one and many at once", SweepsAndRays },
                { "objects come, move and go", Objects },
                { "snapshots bring a world back", Snapshots },
                { "blocks come and go", Loading },
                { "records of a dat file", () => Records(portal) },
                { "wrong use throws", WrongUse },
                { "ten thousand worlds need no more memory than a few", Lifetimes },
                { "a plan says what is seen through what", Sights.Plans },
                { "pictures and maps", Sights.Pictures },
                { "what a server says", Sights.Server },
                { "wrong use of pictures and updates throws", Sights.WrongUse },
                { "two threads at once", TwoThreads },
                { "a folder of data files is a world", () => Folder(folder) },
                { "structs are laid out as in the library", Coverage.LayoutsAgree },
                { "every public method is called by a test", Coverage.EveryMethodIsCalled },
            };
            int failed = 0;
            foreach (var test in tests)
            {
                try
                {
                    test.Value();
                    Console.WriteLine("ok      " + test.Key);
                }
                catch (Exception error)
                {
                    failed++;
                    Console.WriteLine("FAILED  " + test.Key + "\n" + error);
                }
            }
            Console.WriteLine("{0} tests, {1} failed", tests.Count, failed);
            return failed == 0 ? 0 : 1;
        }

        internal static void Expect(bool holds, string what)
        {
            if (!holds)
            {
                throw new Exception("does not hold: " + what);
            }
        }

        internal static void Throws<T>(Action action, string what) where T : Exception
        {
            try
            {
                action();
            }
            catch (T error)
            {
                Expect(error.Message.Length > 0, what + " has a sentence");
                return;
            }
            throw new Exception("does not throw " + typeof(T).Name + ": " + what);
        }

        private static Position Lifted(Position position, float by = 1.2f)
        {
            return position.Moved(new Vector3(0, 0, by));
        }

        private static void WalksThroughTheDoor()
        {
            using (var world = World.OpenSample())
            {
                Entity door = world.Find("Cottage Door");
                Position inside = world.FindPlace("Cottage Vestibule");
                Entity me = world.SpawnPlayer(world.FindPlace("Cottage Door"));
                me.Drive(Keys.Forward | Keys.Walk);
                world.Advance(1.0);
                Expect(!me.Position.IsInside, "the closed door holds");
                Expect(world.Events().Any(e => e.Kind == EventKind.Touched && e.Entity == me.Id && e.Other == door.Id),
                    "it was the door");
                Expect(door.Use() == Door.Open, "the door opens");
                world.Advance(1.5);
                Expect(me.Position.IsInside && ReferenceEquals(me.World, world), "inside: " + me.Position);
                Event[] events = world.Events();
                Expect(events.Any(e => e.Kind == EventKind.DoorOpened && e.Entity == door.Id), "it was told");
                Expect(events.Any(e => e.Kind == EventKind.CellChanged && e.To == inside.Cell), "the cell changed");
                Expect(world.Events().Length == 0, "events come once");
                Expect(world.Ticks == 75, "two and a half seconds");
            }
        }

        private static void SeesThroughTheDoor()
        {
            using (var world = World.OpenSample())
            {
                Entity door = world.Find("Cottage Door");
                Position outside = Lifted(world.FindPlace("Cottage Door"));
                Position inside = Lifted(world.FindPlace("Cottage Vestibule"));
                Expect(world.LineOfSight(outside, inside).Target.Is(door), "the closed door is between");
                var lines = new[] { new SightLine(outside, inside), new SightLine(inside, outside) };
                var hits = new Hit[2];
                door.Use();
                Expect(world.LineOfSight(outside, inside, 0.1f).IsNothing, "nothing is between");
                world.LineOfSight(lines, hits);
                Expect(hits.All(hit => hit.IsNothing), "both ways");
                Expect(door.Use() == Door.Closed, "the door closes");
                world.Advance(2.0); // until the leaf has come to rest
                world.LineOfSight(lines, hits);
                Expect(hits.All(hit => hit.Target.Is(door)), "both ways");
                Entity a = world.SpawnPlayer(world.FindPlace("Village Street"));
                Entity b = world.SpawnPlayer(world.FindPlace("Village Green"));
                Expect(world.LineOfSight(a, b).IsNothing, "two players on the street");
            }
        }

        private static void PathsOverStairs()
        {
            using (var world = World.OpenSample())
            {
                Position room = world.FindPlace("Cottage Living Room");
                Position foot = world.FindPlace("Cottage Cellar Stairs");
                Func<float, Position> top = east => new Position(room.Cell,
                    new Vector3(foot.Origin.X + east, foot.Origin.Y - 4.6f, room.Origin.Z));
                PathReport down = world.CheckPath(room, top(1.9f), top(0), foot);
                Expect(down.Holds && down.Legs == 3 && down.End.Cell == foot.Cell, "down the stairs: " + down.Stop);
                Expect(down.End.Origin.Z < room.Origin.Z - 2.5f, "really down");
                PathReport up =
                    world.CheckPath(Walker.Player.Walking(), down.End, new[] { top(0), top(1.9f), room });
                Expect(up.Holds && up.Seconds > down.Seconds && up.Metres > 5, "up again, slower");
                PathReport straight = world.CheckPath(room, world.FindPlace("Cottage Cellar"));
                Expect(!straight.Holds, "through the floor");
                Position street = world.FindPlace("Cottage Door");
                PathReport[] both = world.CheckPaths(Walker.Player,
                    new List<Position[]> { new[] { street, world.FindPlace("Cottage Vestibule") }, new[] { room, top(1.9f) } });
                Expect(both[0].Stop == Stop.Blocked && both[0].Blocker.Is(world.Find("Cottage Door")), "the door");
                Expect(both[1].Holds && both[1].DeepestFall == 0, "inside");
            }
        }

        private static void Ways()
        {
            using (var world = World.OpenSample())
            {
                Position street = world.FindPlace("Village Street"), cellar = world.FindPlace("Cottage Cellar");
                Route way = world.FindPath(street, cellar);
                Expect(way.IsReached && way.IsProved && way.Length > 10, "to the cellar: " + way.End);
                Expect(way.Waypoints[way.Waypoints.Length - 1].Cell == cellar.Cell, "the last waypoint");
                Expect(way.Cells[0] == street.Cell && way.Cells[way.Cells.Length - 1] == cellar.Cell, "the cells");
                Expect(way.Doors.Length == 1 && world.Find(way.Doors[0]).Equals(world.Find("Cottage Door")), "the door");
                PathPolicy shut = PathPolicy.Default;
                Expect(shut.MaxDrop == 6 && !shut.StaysDry && !shut.Unproved && !shut.TakesPortals, "what is usual");
                shut.LeavesDoorsShut = true;
                shut.StaysDry = true;
                shut.MaxDrop = 2;
                shut.Unproved = true;
                Expect(shut.LeavesDoorsShut, "it leaves doors alone");
                Route none = world.FindPath(Walker.Player, street, cellar, shut);
                Expect(none.End == RouteEnd.RegionEnds && none.Waypoints.Length == 0 && none.Gap > 0, "in front of the door");
                Expect(none.Nearest.Cell != cellar.Cell, "where it ends");
                shut.MaxDrop = float.NaN;
                Throws<ArgumentException>(() => world.FindPath(Walker.Player, street, cellar, shut), "not a fall");
                Position cave = world.FindPlace("Cave Entrance"), hall = world.FindPlace("Dungeon Great Hall");
                Expect(!world.FindPath(cave, hall).IsReached, "on foot nobody comes to the dungeon");
                PathPolicy portals = PathPolicy.Default;
                portals.TakesPortals = true;
                Route through = world.FindPath(Walker.Player, cave, hall, portals);
                Expect(through.IsProved && through.Portals.Length == 1, "through the portal: " + through.End);
                Passage passage = through.Portals[0];
                Expect(world.Find(passage.Portal).Equals(world.Find("Portal to the Dungeon")), "which portal");
                Expect(passage.Waypoint + 1 < through.Waypoints.Length, "where it leads");
            }
        }

        private static void Jumps()
        {
            using (var world = World.OpenSample())
            {
                Position[] arc;
                Position from = world.FindPlace("Village Street");
                Walker walker = Walker.Player.With(new Skills { Run = 300, Jump = 300 });
                JumpReport jump = world.SimulateJump(walker, from, Keys.Forward, 1, out arc);
                Expect(jump.End == JumpEnd.Landed && jump.Height > 3.5f && jump.Fall > 2, "as high as skills say");
                Expect(arc.Length > 30 && arc[arc.Length - 1].Equals(jump.Landing), "the arc ends where it lands");
                Expect(jump.Seconds > 1 && jump.Bumped.Kind == TargetKind.None, "in the open air");
                JumpReport inside = world.SimulateJump(Walker.Player, world.FindPlace("Cottage Cellar"), Keys.None, 1,
                    out arc);
                Expect(inside.Bumped.Kind == TargetKind.Room, "the ceiling");
            }
        }

        private static void SpotsAndCells()
        {
            using (var world = World.OpenSample())
            {
                Position street = world.FindPlace("Village Street");
                float height = world.GroundHeight(street).Value;
                Expect(Math.Abs(height - street.Origin.Z) < 0.1f, "the street lies on the ground");
                Expect(world.GroundHeight(new Position(0x01010001, Vector3.Zero)) == null, "no land there");
                Expect(world.Ground(street).Target.Kind == TargetKind.Ground, "ground");
                Expect(world.Ceiling(street).IsNothing, "the sky is no ceiling");
                Expect(world.StandAt(Walker.Player, street).HasValue, "room");
                Expect(!world.StandAt(Walker.Player, Lifted(street, 300)).HasValue, "no ground");
                uint room = world.FindPlace("Cottage Living Room").Cell;
                Position spot = world.RandomStandable(Walker.Player, room, 7).Value;
                Expect(spot.Cell == room && spot.Equals(world.RandomStandable(Walker.Player, room, 7).Value), "a spot");
                Expect(world.RandomStandable(Walker.Creature(0x02000001), street, 10, 3).HasValue, "outdoors");
                Expect(world.Reseat(spot, new Vector3(0, 0, 1)).Value.Cell == room, "its own cell");
                Expect(world.CellsOfSphere(Lifted(spot), 0.2f)[0] == room, "its own cell first");
                Expect(world.VisibleCells(room).Contains(world.FindPlace("Cottage Vestibule").Cell), "neighbours");
                Expect(world.PlaceNames().Contains("Village Street") && world.Blocks().Length > 5, "names and blocks");
            }
        }

        private static void SweepsAndRays()
        {
            using (var world = World.OpenSample())
            {
                Entity door = world.Find("Cottage Door");
                var sweep = new SphereSweep
                {
                    From = Lifted(world.FindPlace("Cottage Door"), 1),
                    To = Lifted(world.FindPlace("Cottage Vestibule"), 1),
                    Radius = 0.2f,
                    Kind = SphereKind.Camera,
                };
                Swept swept = world.Sweep(sweep);
                Expect(swept.IsValid && swept.Target.Is(door) && swept.Remaining > 0.3f, "the door holds");
                Expect(Math.Abs(swept.Normal.Y + 1) < 0.01f, "it faces the street");
                var many = new Swept[100];
                world.Sweep(Enumerable.Repeat(sweep, 100).ToArray(), many);
                Expect(many.All(one => one.Position.Equals(swept.Position)), "many at once");
                var ray = new Ray
                {
                    From = sweep.From, Direction = new Vector3(0, 1, 0), Reach = 10, Blockers = Blockers.Solid,
                };
                Hit hit = world.Cast(ray);
                Expect(hit.Target.Is(door) && hit.Cell >> 16 == sweep.From.Cell >> 16 && hit.Point.Y > ray.From.Origin.Y, "a ray");
                var hits = new Hit[3];
                world.Cast(new[] { ray, ray, ray }, hits);
                Expect(hits.All(one => one.Distance == hit.Distance), "many rays");
            }
        }

        private static void Objects()
        {
            using (var world = World.OpenSample())
            {
                Position street = world.FindPlace("Village Street");
                Entity thing = world.Spawn(new NewObject
                {
                    Guid = 0x70000001, Setup = 0x02000001, Position = street, State = 0x408, Role = Role.Creature,
                });
                Expect(world.Find(0x70000001).Equals(thing), "by its id");
                Expect(world.Entity(thing.Id).Equals(thing), "by its name");
                EntityInfo info = thing.Info;
                Expect(info.Guid == 0x70000001 && info.Height > 1 && info.Radius > 0.1f && info.Scale == 1, "its body");
                Expect(info.Door == Door.None && world.Find("Cottage Door").Info.Door == Door.Closed, "doors");
                Expect(world.Entities().Count > 100 && world.Residents(street.Cell).Contains(thing), "at home");
                Expect(world.ObjectsWithin(street, 0.5f)[0].Equals(thing), "near");
                Expect(thing.ShadowCells().Contains(street.Cell), "where it can be hit");
                Expect(thing.Place(Lifted(street, 0.1f)) == Placement.Placed, "placed");
                thing.SetVelocity(new Vector3(0, 0, 5));
                thing.SetState(0x40C);
                world.Tick();
                thing.Despawn();
                Throws<ThresholdException>(() => thing.Position.ToString(), "it is gone");

                Entity me = world.SpawnPlayer(street, new Skills { Run = 400, Jump = 100 });
                me.Look(90);
                world.Tick();
                Expect(me.Info.Stands && me.Pick(new Vector3(0, 0, -1)).Target.Kind != TargetKind.None, "the ground");
                Expect(me.Sweep(street.Moved(new Vector3(0, -2, 0))).Remaining < 0.1f, "free");
                Expect(world.CheckPath(Walker.Like(me), street, new[] { street }).Holds, "its own body");
                Position tower = world.FindPlace("Tower Lookout");
                me.Teleport(tower);
                Expect(world.Events().Any(e => e.Kind == EventKind.Arrived), "arrived");
                Expect(me.Position.Cell == tower.Cell, "there");
            }
        }

        private static void Snapshots()
        {
            using (var world = World.OpenSample())
            {
                Entity me = world.SpawnPlayer(world.FindPlace("Village Street"));
                ulong before = world.StateHash;
                byte[] snapshot = world.Snapshot();
                me.Drive(Keys.Forward);
                world.Advance(0.5);
                Expect(world.StateHash != before, "it ran");
                world.Restore(snapshot);
                Expect(world.StateHash == before, "it is back");
                snapshot[0] ^= 1;
                Throws<ThresholdException>(() => world.Restore(snapshot), "no snapshot");
            }
        }

        private static void Loading()
        {
            using (var whole = World.OpenSample())
            using (var world = whole.OpenAnother(Residency.Observed))
            {
                bool hasTerrain;
                Position street = whole.FindPlace("Village Street");
                Expect(world.GroundHeight(street) == null, "nothing is loaded");
                uint observer = world.LoadBlock(street.Cell >> 16, out hasTerrain);
                Expect(hasTerrain && world.GroundHeight(street) != null, "the block is there");
                uint around = world.LoadAround(street);
                world.Unload(observer);
                world.MoveObserver(around, street.Moved(new Vector3(5, 0, 0)));
                Expect(world.GroundHeight(street) != null, "still needed");
                world.Unload(around);
            }
        }

        private static void Records(string portal)
        {
            using (var dat = DatFile.Open(portal))
            {
                uint[] ids = dat.Ids(0x02000000, 0x02FFFFFF);
                byte[] record = dat.Read(ids[0]);
                dat.Remove(ids[0]);
                Throws<ThresholdException>(() => dat.Read(ids[0]), "it is gone");
                Throws<ArgumentException>(() => dat.Put(ids[0], new byte[3]), "no record");
                dat.Put(ids[0], record);
                Expect(dat.Read(ids[0]).SequenceEqual(record), "it is back");
                dat.Dispose();
                Throws<ObjectDisposedException>(() => dat.Ids(), "closed");
            }
        }

        private static void Folder(string folder)
        {
            using (var world = World.Open(folder, Residency.Observed))
            {
                bool hasTerrain;
                world.LoadBlock(0xA9B4, out hasTerrain);
                Expect(hasTerrain && world.Blocks().Contains(0xA9B4u), "its blocks");
            }
        }

        private static void WrongUse()
        {
            var world = World.OpenSample(Residency.Observed);
            Position street = world.FindPlace("Village Street");
            Throws<ArgumentException>(() => world.Advance(double.NaN), "NaN");
            Throws<ArgumentException>(() => world.Ground(street.Moved(new Vector3(float.NaN, 0, 0))), "NaN");
            Throws<ArgumentException>(() => world.Sweep(new SphereSweep[2], new Swept[1]), "lengths");
            Throws<ArgumentException>(() => world.CheckPaths(Walker.Player, new[] { new Position[0] }), "no beginning");
            Throws<ArgumentNullException>(() => world.Find(null), "null");
            Throws<ThresholdException>(() => world.FindPlace("Nowhere"), "no such place");
            Throws<ThresholdException>(() => World.Open("/nowhere"), "no such folder");
            Throws<ThresholdException>(() => world.Entity(12345).Use(), "no such object");
            try
            {
                world.Unload(4711);
            }
            catch (ThresholdException error)
            {
                Expect(error.Error == Error.NotFound, "the kind of error");
            }
            world.Dispose();
            world.Dispose();
            Throws<ObjectDisposedException>(() => world.Tick(), "closed");
            Expect(Rotation.FromHeading(0).Equals(new Rotation(1, 0, 0, 0)), "rotations");
        }

        private static void Lifetimes()
        {
            using (var origin = World.OpenSample(Residency.Observed))
            {
                long warm = 0;
                for (int i = 0; i < 10000; i++)
                {
                    if (i == 2000)
                    {
                        warm = Resident();
                    }
                    using (origin.OpenAnother(Residency.Observed))
                    {
                    }
                }
                long grown = Resident() - warm;
                Expect(grown < 8 << 20, "grown by " + grown + " bytes");
            }
        }

        private static long Resident()
        {
            GC.Collect();
            using (var process = Process.GetCurrentProcess())
            {
                return process.WorkingSet64;
            }
        }

        /// <summary>While one thread is in a call, another one is refused, and nothing else happens.</summary>
        private static void TwoThreads()
        {
            using (var world = World.OpenSample())
            {
                for (int tries = 0; tries < 100; tries++)
                {
                    ulong before = world.Ticks;
                    bool refused = false;
                    var worker = new Thread(() => Insist(() => world.Advance(20)));
                    worker.Start();
                    while (worker.IsAlive && !refused)
                    {
                        try
                        {
                            GC.KeepAlive(world.Ticks);
                        }
                        catch (ThresholdException error)
                        {
                            refused = error.Error == Error.Busy;
                        }
                    }
                    worker.Join();
                    Expect(world.Ticks - before == 600, "twenty seconds have passed");
                    if (refused)
                    {
                        return;
                    }
                }
                throw new Exception("nothing was ever refused");
            }
        }

        private static void Insist(Action action)
        {
            for (;;)
            {
                try
                {
                    action();
                    return;
                }
                catch (ThresholdException error) when (error.Error == Error.Busy)
                {
                }
            }
        }

        private static void PlayScript(string path)
        {
            using (var world = World.OpenSample())
            {
                Entity player = default(Entity);
                foreach (string line in File.ReadAllLines(path).Where(line => !line.StartsWith("#")))
                {
                    string[] words = line.Split(new[] { ' ' }, 2);
                    string rest = words.Length > 1 ? words[1] : "";
                    switch (words[0])
                    {
                        case "spawn":
                            player = world.SpawnPlayer(world.FindPlace(rest));
                            break;
                        case "use":
                            world.Find(rest).Use();
                            break;
                        case "look":
                            float[] degrees = rest.Split(' ').Select(float.Parse).ToArray();
                            player.Look(degrees[0], degrees[1]);
                            break;
                        case "keys":
                            player.Drive((Keys)uint.Parse(rest));
                            break;
                        case "ticks":
                            for (int ticks = int.Parse(rest); ticks > 0; ticks--)
                            {
                                world.Tick();
                            }
                            break;
                        case "hash":
                            Console.WriteLine(world.StateHash.ToString("x16"));
                            break;
                        default:
                            throw new Exception("what is '" + line + "'?");
                    }
                }
            }
        }

        /// <summary>What a call costs: the best of many short runs.</summary>
        private static void CallCost()
        {
            using (var world = World.OpenSample(Residency.Observed))
            {
                Entity me = world.SpawnPlayer(world.FindPlace("Village Street"));
                const int Calls = 20000;
                double best = double.MaxValue;
                for (int run = 0; run < 200; run++)
                {
                    var watch = Stopwatch.StartNew();
                    for (int call = 0; call < Calls; call++)
                    {
                        GC.KeepAlive(world.Ticks);
                    }
                    best = Math.Min(best, watch.Elapsed.TotalMilliseconds * 1e6 / Calls);
                }
                Console.WriteLine("Ticks: {0:F1} ns", best);
                best = double.MaxValue;
                float sum = 0;
                for (int run = 0; run < 200; run++)
                {
                    var watch = Stopwatch.StartNew();
                    for (int call = 0; call < Calls; call++)
                    {
                        sum += me.Position.Origin.X;
                    }
                    best = Math.Min(best, watch.Elapsed.TotalMilliseconds * 1e6 / Calls);
                }
                Console.WriteLine("Position: {0:F1} ns ({1})", best, sum > 0);
            }
        }
    }
}
