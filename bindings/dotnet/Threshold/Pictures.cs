using System;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;
using Threshold.Interop;

namespace Threshold
{
    /// <summary>A camera: that of a player, or at a place.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Camera
    {
        private readonly ulong player;
        private readonly Position place;
        private readonly uint seat;
        private readonly float pitch;
        private readonly float fieldOfView;
        private readonly uint width;
        private readonly uint height;
        private readonly float afterNoon;

        private Camera(ulong player, Position place, uint seat, float pitch, float fieldOfView, uint width, uint height,
            float afterNoon)
        {
            this.player = player;
            this.place = place;
            this.seat = seat;
            this.pitch = pitch;
            this.fieldOfView = fieldOfView;
            this.width = width;
            this.height = height;
            this.afterNoon = afterNoon;
        }

        /// <summary>The camera of a player.</summary>
        public static Camera Of(Entity player, uint width, uint height)
        {
            return new Camera(player.Id, default(Position), 0, 0, 0, width, height, 0);
        }

        /// <summary>The view of someone who stands at a place and faces its direction, tilted up by some degrees.</summary>
        public static Camera Above(Position place, uint width, uint height, float pitch = 0)
        {
            return new Camera(0, place, 0, pitch, 0, width, height, 0);
        }

        /// <summary>An eye exactly at a place, in exactly that cell.</summary>
        public static Camera At(Position eye, uint width, uint height, float pitch = 0)
        {
            return new Camera(0, eye, 1, pitch, 0, width, height, 0);
        }

        /// <summary>A copy with another vertical field of view, in degrees.</summary>
        public Camera WithFieldOfView(float degrees)
        {
            return new Camera(player, place, seat, pitch, degrees, width, height, afterNoon);
        }

        /// <summary>A copy at another time: a fraction of a day after noon, -0.5 to 0.5.</summary>
        public Camera AfterNoon(float days)
        {
            return new Camera(player, place, seat, pitch, fieldOfView, width, height, days);
        }

        internal uint Width
        {
            get { return width; }
        }

        internal uint Height
        {
            get { return height; }
        }
    }

    /// <summary>A picture: four bytes per pixel, red, green, blue and 255, rows from the top down.</summary>
    public sealed class Picture
    {
        internal Picture(uint width, uint height, byte[] rgba)
        {
            Width = (int)width;
            Height = (int)height;
            Rgba = rgba;
        }

        /// <summary>Pixels from left to right.</summary>
        public int Width { get; }
        /// <summary>Pixels from top to bottom.</summary>
        public int Height { get; }
        /// <summary>Width × height × 4 bytes.</summary>
        public byte[] Rgba { get; }
    }

    /// <summary>A block from above, and its surroundings.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct MapTile
    {
        /// <summary>The block, such as 0xA9B4.</summary>
        public uint Block;
        /// <summary>Blocks to add in every direction, up to 16.</summary>
        public uint Around;
        /// <summary>Pixels along the longer side, 16 to 8192; 0 for 1024.</summary>
        public uint Pixels;
        private uint hasCut;
        private float cut;
        /// <summary>Only this part, in metres from the block's south-west corner; all zeros for all of it.</summary>
        public float West;
        /// <summary>South edge.</summary>
        public float South;
        /// <summary>East edge.</summary>
        public float East;
        /// <summary>North edge.</summary>
        public float North;

        /// <summary>Omits everything above this height, to show lower floors; null draws everything.</summary>
        public float? Cut
        {
            get { return hasCut == 0 ? (float?)null : cut; }
            set
            {
                hasCut = value.HasValue ? 1u : 0u;
                cut = value.GetValueOrDefault();
            }
        }
    }

    /// <summary>A visible interior cell.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct PlanCell
    {
        /// <summary>The cell.</summary>
        public readonly uint Cell;
        /// <summary>Metres to the farthest corner of the openings through which it is visible.</summary>
        public readonly float Distance;
        /// <summary>First region in which it is visible.</summary>
        public readonly uint FirstRegion;
        /// <summary>How many there are.</summary>
        public readonly uint RegionCount;
        /// <summary>The land cell of the building into which the eye looks; 0 when the eye itself is inside.</summary>
        public readonly uint Building;
    }

    /// <summary>What a region of the picture belongs to.</summary>
    public enum Opening : uint
    {
        /// <summary>The whole picture.</summary>
        Screen = 0,
        /// <summary>A portal of an interior cell.</summary>
        Portal = 1,
        /// <summary>An opening of a building, seen from outdoors.</summary>
        Building = 2,
    }

    /// <summary>A convex region of the picture.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct PlanRegion
    {
        /// <summary>Its first corner.</summary>
        public readonly uint FirstPoint;
        /// <summary>How many corners it has.</summary>
        public readonly uint PointCount;
        /// <summary>The opening.</summary>
        public readonly Opening Opening;
        /// <summary>The cell of the portal, or the land cell of the building.</summary>
        public readonly uint Cell;
        /// <summary>Number of the opening in the list of the cell or building.</summary>
        public readonly uint Portal;
    }

    /// <summary>Operations of a plan; threshold.h says what the fields of a step mean for each.</summary>
    public enum StepKind : uint
    {
        /// <summary>Clear colour and depth.</summary>
        BeginFrame = 0,
        /// <summary>Select the lights.</summary>
        Lights = 1,
        /// <summary>The outdoors begins.</summary>
        Landscape = 2,
        /// <summary>The sky.</summary>
        Sky = 3,
        /// <summary>Ground of a block.</summary>
        Terrain = 4,
        /// <summary>A building begins.</summary>
        BuildingBegin = 5,
        /// <summary>Write the greatest depth where an opening is.</summary>
        Punch = 6,
        /// <summary>The interior cells seen through an opening begin.</summary>
        FloodBegin = 7,
        /// <summary>The mesh of an interior cell.</summary>
        Cell = 8,
        /// <summary>Objects of a cell.</summary>
        Objects = 9,
        /// <summary>The interior cells seen through an opening end.</summary>
        FloodEnd = 10,
        /// <summary>The shell of a building.</summary>
        BuildingShell = 11,
        /// <summary>Draw the deferred transparent parts.</summary>
        FlushAlpha = 12,
        /// <summary>Parts that were drawn may be drawn again.</summary>
        AdvanceStamp = 13,
        /// <summary>Clear depth, never colour.</summary>
        ClearDepth = 14,
        /// <summary>Write an opening's own depth where it is.</summary>
        Seal = 15,
        /// <summary>Rain and snow.</summary>
        Weather = 16,
        /// <summary>The picture is complete.</summary>
        EndFrame = 17,
    }

    /// <summary>One operation of a plan.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct PlanStep
    {
        /// <summary>What to do.</summary>
        public readonly StepKind Kind;
        /// <summary>With which cell; 0 for none.</summary>
        public readonly uint Cell;
        /// <summary>First region in which it is visible.</summary>
        public readonly uint FirstRegion;
        /// <summary>How many there are.</summary>
        public readonly uint RegionCount;
        /// <summary>Meaning depends on the kind.</summary>
        public readonly uint Index;
        /// <summary>Meaning depends on the kind.</summary>
        public readonly uint Count;
    }

    /// <summary>A part of an object that is drawn.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct PlanPart
    {
        /// <summary>The object.</summary>
        public readonly ulong Entity;
        /// <summary>Number of the part in its setup.</summary>
        public readonly uint Part;
        /// <summary>Sorting distance in metres.</summary>
        public readonly float Distance;
    }

    /// <summary>Which cells are visible in which regions of the picture, and in which order everything is drawn.</summary>
    public sealed class Plan
    {
        internal Plan(ThPlanInfo info, PlanCell[] cells, PlanRegion[] regions, Vector2[] points, PlanStep[] steps,
            PlanPart[] parts)
        {
            ViewerCell = info.viewer_cell;
            FirstLandscapeRegion = info.first_region;
            LandscapeRegionCount = info.region_count;
            Cells = cells;
            Regions = regions;
            Points = points;
            Steps = steps;
            Parts = parts;
        }

        /// <summary>The cell of the eye; 0 for none.</summary>
        public uint ViewerCell { get; }
        /// <summary>First region in which the outdoors is visible.</summary>
        public uint FirstLandscapeRegion { get; }
        /// <summary>How many there are; 0 when the outdoors is not visible.</summary>
        public uint LandscapeRegionCount { get; }
        /// <summary>Interior cells; a cell precedes those that are seen through it.</summary>
        public PlanCell[] Cells { get; }
        /// <summary>Regions of the picture.</summary>
        public PlanRegion[] Regions { get; }
        /// <summary>Corners of the regions in pixels: x right, y down.</summary>
        public Vector2[] Points { get; }
        /// <summary>Drawing steps, in order.</summary>
        public PlanStep[] Steps { get; }
        /// <summary>Parts of objects.</summary>
        public PlanPart[] Parts { get; }
    }

    public sealed unsafe partial class World
    {
        /// <summary>Plans a frame of what is loaded.</summary>
        public Plan Plan(Camera camera)
        {
            ThPlanInfo info;
            Check(Native.th_plan(Handle, (ThCamera*)&camera, &info));
            return new Plan(info,
                Array<PlanCell>((buffer, capacity, count) =>
                    Native.th_plan_cells(Handle, (ThPlanCell*)buffer, capacity, count)),
                Array<PlanRegion>((buffer, capacity, count) =>
                    Native.th_plan_regions(Handle, (ThPlanRegion*)buffer, capacity, count)),
                Array<Vector2>((buffer, capacity, count) =>
                    Native.th_plan_points(Handle, (ThPoint*)buffer, capacity, count)),
                Array<PlanStep>((buffer, capacity, count) =>
                    Native.th_plan_steps(Handle, (ThPlanStep*)buffer, capacity, count)),
                Array<PlanPart>((buffer, capacity, count) =>
                    Native.th_plan_parts(Handle, (ThPlanPart*)buffer, capacity, count)));
        }

        /// <summary>Renders the view of a camera on the processor: the same picture on every machine.</summary>
        public Picture Render(Camera camera)
        {
            uint count;
            Check(Native.th_render(Handle, (ThCamera*)&camera, null, 0, &count));
            var rgba = new byte[count];
            fixed (byte* start = rgba)
            {
                Check(Native.th_render(Handle, (ThCamera*)&camera, start, count, &count));
            }
            return new Picture(camera.Width, camera.Height, rgba);
        }

        /// <summary>Draws a block from above, north up; the block need not be loaded.</summary>
        public Picture MapTile(MapTile tile)
        {
            ThSize size;
            uint count;
            uint side = tile.Pixels == 0 ? 1024 : Math.Min(tile.Pixels, 8192);
            // A picture is at most as high as it is wide, or the other way round.
            var rgba = new byte[side * side * 4];
            fixed (byte* start = rgba)
            {
                Check(Native.th_map_tile(Handle, (ThTile*)&tile, &size, start, (uint)rgba.Length, &count));
            }
            System.Array.Resize(ref rgba, (int)count);
            return new Picture(size.width, size.height, rgba);
        }

        /// <summary>Checks rows of ACE-World SQL against the world; a line per finding.</summary>
        public string[] CheckInstances(string sql)
        {
            if (sql == null)
            {
                throw new ArgumentNullException(nameof(sql));
            }
            byte[] bytes = Encoding.UTF8.GetBytes(sql);
            byte[] found = Array<byte>((buffer, capacity, count) =>
            {
                fixed (byte* start = bytes)
                {
                    return Native.th_check_instances(Handle, start, (uint)bytes.Length, (byte*)buffer, capacity, count);
                }
            });
            return Encoding.UTF8.GetString(found).Split(new[] { '\n' }, StringSplitOptions.RemoveEmptyEntries);
        }
    }
}
