using System;
using System.Linq;
using System.Numerics;

namespace Threshold.Tests
{
    /// <summary>What is seen, and what a server says.</summary>
    internal static class Sights
    {
        private const uint Guid = 0x70000001;
        /// <summary>How the sample world's people move.</summary>
        private const uint People = 0x09000001;

        internal static void Plans()
        {
            using (var world = World.OpenSample())
            {
                Position room = world.FindPlace("Cottage Living Room");
                Plan plan = world.Plan(Camera.Above(room, 640, 360));
                Program.Expect(plan.ViewerCell == room.Cell, "the eye is in the room");
                Program.Expect(plan.Cells[0].Cell == room.Cell && plan.Cells[0].Distance == 0, "its own cell first");
                Program.Expect(plan.Cells.Any(cell => cell.Building != 0), "other houses through the window");
                foreach (PlanCell cell in plan.Cells)
                {
                    Program.Expect(cell.RegionCount > 0, "seen through something");
                    for (uint i = cell.FirstRegion; i < cell.FirstRegion + cell.RegionCount; i++)
                    {
                        PlanRegion region = plan.Regions[i];
                        Program.Expect(region.PointCount >= 3, "a polygon");
                        Vector2 corner = plan.Points[region.FirstPoint];
                        Program.Expect(corner.X > -1 && corner.X < 641 && corner.Y > -1 && corner.Y < 361, "in the picture");
                    }
                }
                Program.Expect(plan.Regions[plan.Cells[0].FirstRegion].Opening == Opening.Screen, "all of the picture");
                Program.Expect(plan.Regions.Any(region => region.Opening == Opening.Portal && region.Cell == room.Cell &&
                    region.Portal < 100), "through a door");
                Program.Expect(plan.LandscapeRegionCount > 0 && plan.FirstLandscapeRegion < plan.Regions.Length, "outdoors");
                StepKind[] kinds = plan.Steps.Select(step => step.Kind).ToArray();
                int clear = Array.IndexOf(kinds, StepKind.ClearDepth);
                Program.Expect(Array.IndexOf(kinds, StepKind.Landscape) < clear, "the outdoors come first");
                Program.Expect(clear < Array.IndexOf(kinds, StepKind.Seal), "then openings are sealed");
                PlanStep objects = plan.Steps.First(step => step.Kind == StepKind.Objects && step.Count > 0);
                PlanPart part = plan.Parts[objects.Index];
                Program.Expect(world.Entity(part.Entity).Info.Setup != 0 && part.Part < 100 && part.Distance > 0 &&
                    objects.Cell != 0 && objects.FirstRegion + objects.RegionCount <= plan.Regions.Length, "an object");
            }
        }

        internal static void Pictures()
        {
            using (var world = World.OpenSample())
            {
                Position door = world.FindPlace("Cottage Door");
                Camera camera = Camera.Above(door, 160, 90);
                Picture closed = world.Render(camera);
                Program.Expect(closed.Width == 160 && closed.Height == 90 && closed.Rgba.Length == 160 * 90 * 4, "its size");
                Program.Expect(world.Render(camera).Rgba.SequenceEqual(closed.Rgba), "the same picture again");
                world.Find("Cottage Door").Use();
                world.Advance(2);
                Picture open = world.Render(camera);
                int different = Enumerable.Range(0, 160 * 90).Count(i => open.Rgba[4 * i] != closed.Rgba[4 * i]);
                Program.Expect(different > 1000, "an open door looks different: " + different);
                Entity me = world.SpawnPlayer(door);
                world.Advance(0.5);
                Picture own = world.Render(Camera.Of(me, 160, 90));
                Program.Expect(!own.Rgba.SequenceEqual(open.Rgba), "a player has its own eye");
                Picture night = world.Render(Camera.Of(me, 160, 90).AfterNoon(0.5f).WithFieldOfView(90));
                Program.Expect(night.Rgba.Sum(b => b) < own.Rgba.Sum(b => b), "nights are dark");
                Picture sky = world.Render(Camera.At(door.Moved(new Vector3(0, 0, 50)), 16, 9, 90));
                Program.Expect(sky.Rgba[2] > sky.Rgba[0], "the sky is blue");

                Picture tile = world.MapTile(new MapTile { Block = door.Cell >> 16, Pixels = 128 });
                Program.Expect(tile.Width == 128 && tile.Height == 128, "a block is square");
                var rooms = new MapTile
                {
                    Block = door.Cell >> 16, Pixels = 128, West = 48, South = 96, East = 72, North = 108, Cut = 21,
                };
                Program.Expect(rooms.Cut == 21 && world.MapTile(rooms).Height == 64, "a part of it");
            }
        }

        internal static void Server()
        {
            using (var world = World.OpenSample())
            {
                Position street = world.FindPlace("Village Street"), green = world.FindPlace("Village Green");
                var drudge = new Description
                {
                    Guid = Guid, Setup = 0x02000001, State = 0x408, ItemType = 0x10, Position = street, MotionTable = People,
                    Stamps = new Stamps { Position = 5 },
                };
                world.AwaitOwnPlayer();
                Program.Expect(world.Apply(drudge, "Drudge") == Applied.Queued && world.OwnPlayer == null, "it waits");
                Program.Expect(world.Apply(Update.OwnPlayer(0x50000001)) == Applied.Done, "the own player");
                Program.Expect(world.OwnPlayer == 0x50000001, "it is named");
                Entity found = world.Find(Guid);
                Program.Expect(world.Apply(Update.State(Guid, 0x40C, 0, 1)) == Applied.Done, "a state");
                Program.Expect(world.Apply(Update.State(Guid, 0x408, 0, 1)) == Applied.Stale, "an old state");
                Program.Expect(found.Info.State == 0x40C, "its state");
                byte[] message = { 0x4B, 0xF7, 0, 0, 1, 0, 0, 0x70, 8, 4, 0, 0, 0, 0, 2, 0 };
                Program.Expect(world.Apply(message) == Applied.Done && found.Info.State == 0x408, "a message");
                Program.Expect(world.Apply(Update.At(Guid, green, 0, 5)) == Applied.Stale, "an old position");
                Program.Expect(world.Apply(Update.At(Guid, green, 0, 6, teleport: 1)) == Applied.Done, "a position");
                world.Tick();
                Program.Expect(found.Position.Cell == green.Cell, "it is there");
                var walk = new Movement
                {
                    Order = Order.MoveToPosition, Guid = Guid, Stamp = 1, To = found.Position.Moved(new Vector3(0, 4, 0)),
                };
                Program.Expect(!walk.IsAutonomous && world.Apply(walk) == Applied.Done, "an order to go");
                world.Advance(4);
                Program.Expect(found.Position.Origin.Y > walk.To.Origin.Y - 1, "it went: " + found.Position);
                walk.IsAutonomous = true;
                Program.Expect(world.Apply(walk) == Applied.Stale, "an old order");
                Program.Expect(world.Apply(Update.Vector(Guid, new Vector3(0, 0, 3), Vector3.Zero, 0, 1)) == Applied.Done, "a push");
                Program.Expect(world.Apply(Update.Sound(Guid, 5, 0.5f)) == Applied.Done, "a noise");
                Program.Expect(world.Apply(Update.Script(Guid, 0x33000001)) == Applied.Done, "a script");
                Program.Expect(world.Apply(Update.ScriptOfType(Guid, 4, 1)) == Applied.Done, "a script of a type");
                EventKind[] kinds = world.Events().Select(e => e.Kind).ToArray();
                Program.Expect(kinds.Contains(EventKind.Created) && kinds.Contains(EventKind.Sound), "it was told");
                drudge.Guid = Guid + 1;
                drudge.Anew = true;
                Program.Expect(drudge.Anew && world.Apply(drudge) == Applied.Done, "another one");
                Program.Expect(world.Apply(Update.Parent(Guid + 1, Guid, 1, 0, 6)) == Applied.Done, "held");
                Program.Expect(world.Apply(Update.Pickup(Guid + 1, 0, 7)) == Applied.Done, "put away");
                Program.Expect(world.Apply(Update.Teleport(1)) == Applied.Stale, "nobody has described the own player");
                Program.Expect(world.Apply(Update.Delete(Guid, 0)) == Applied.Done, "gone");
                Program.Throws<ThresholdException>(() => world.Find(Guid), "gone");
                world.ForgetServer();
                Program.Throws<ThresholdException>(() => world.Find(Guid + 1), "forgotten");

                const string Sql = "INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, " +
                    "`origin_Y`, `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `is_Link_Child`, " +
                    "`last_Modified`) VALUES (1, 412, 0x80800100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '2021-11-01 00:00:00');";
                Program.Expect(world.CheckInstances(Sql).Any(line => line.Contains("unknown-class")), "a finding");
                Program.Expect(world.CheckInstances("").Length == 0, "nothing to find");
            }
        }

        internal static void WrongUse()
        {
            using (var world = World.OpenSample())
            {
                ulong before = world.StateHash;
                Position street = world.FindPlace("Village Street");
                foreach (float bad in new[] { float.NaN, float.PositiveInfinity, float.NegativeInfinity })
                {
                    Position nowhere = street.Moved(new Vector3(0, bad, 0));
                    Program.Throws<ArgumentException>(() => world.Plan(Camera.Above(nowhere, 8, 8)), "a place");
                    Program.Throws<ArgumentException>(() => world.Plan(Camera.Above(street, 8, 8, bad)), "a pitch");
                    Program.Throws<ArgumentException>(() => world.Render(Camera.At(street, 8, 8).WithFieldOfView(bad)), "an angle");
                    Program.Throws<ArgumentException>(() => world.Render(Camera.At(street, 8, 8).AfterNoon(bad)), "a time");
                    Program.Throws<ArgumentException>(() => world.MapTile(new MapTile { Block = 0x8080, West = bad }), "an edge");
                    Program.Throws<ArgumentException>(() => world.Apply(Update.At(1, nowhere, 0, 1)), "a position");
                    var turn = new Movement { Order = Order.TurnToHeading, Heading = bad };
                    Program.Throws<ArgumentException>(() => world.Apply(turn), "a heading");
                    var huge = new Description { Guid = 9, Setup = 0x02000001, Position = street, Scale = bad };
                    Program.Throws<ArgumentException>(() => world.Apply(huge), "a size");
                }
                Program.Throws<ArgumentException>(() => world.Render(Camera.At(street, 0, 8)), "no pixels");
                Program.Throws<ArgumentException>(() => world.Render(Camera.At(street, 9000, 9000)), "too many pixels");
                Program.Throws<ArgumentException>(() => world.MapTile(new MapTile { Block = 0x8080, Pixels = 9000 }), "too large");
                Program.Throws<ArgumentException>(() => world.MapTile(new MapTile { Block = 0x8080, Around = 17 }), "too far");
                Program.Throws<ThresholdException>(() => world.MapTile(new MapTile { Block = 0x0101 }), "no such block");
                Program.Throws<ThresholdException>(() => world.Plan(Camera.Above(new Position(0x01010001, Vector3.One), 8, 8)), "no such cell");
                Program.Throws<ThresholdException>(() => world.Render(Camera.Of(world.Entity(12345), 8, 8)), "no such player");
                Program.Throws<ArgumentException>(() => world.Apply(new byte[3]), "no message");
                Program.Throws<ArgumentNullException>(() => world.Apply(new Description(), null), "no name");
                Program.Throws<ArgumentNullException>(() => world.CheckInstances(null), "no text");
                Program.Throws<ArgumentException>(() => world.CheckInstances("INSERT INTO"), "half a row");
                Program.Expect(world.StateHash == before, "nothing has changed");
            }
        }
    }
}
