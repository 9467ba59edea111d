using System.Runtime.InteropServices;
using Threshold.Interop;

namespace Threshold
{
    /// <summary>What one may do on the way.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PathPolicy
    {
        private uint leavesDoorsShut;
        private uint staysDry;
        private float maxDrop;
        private uint unproved;
        private uint takesPortals;

        /// <summary>Opens doors, falls six metres, wades, goes around portals; a body walks the way before it is given out.</summary>
        public static readonly PathPolicy Default = new PathPolicy { maxDrop = 6 };

        /// <summary>Goes only through doors that stand open.</summary>
        public bool LeavesDoorsShut
        {
            get { return leavesDoorsShut != 0; }
            set { leavesDoorsShut = value ? 1u : 0; }
        }

        /// <summary>Does not go through water.</summary>
        public bool StaysDry
        {
            get { return staysDry != 0; }
            set { staysDry = value ? 1u : 0; }
        }

        /// <summary>The deepest fall, in metres.</summary>
        public float MaxDrop
        {
            get { return maxDrop; }
            set { maxDrop = value; }
        }

        /// <summary>Does without a body that walks the way, which is faster.</summary>
        public bool Unproved
        {
            get { return unproved != 0; }
            set { unproved = value ? 1u : 0; }
        }

        /// <summary>Takes portals; otherwise a player goes around them.</summary>
        public bool TakesPortals
        {
            get { return takesPortals != 0; }
            set { takesPortals = value ? 1u : 0; }
        }
    }

    /// <summary>What came of a search for a way.</summary>
    public enum RouteEnd : uint
    {
        /// <summary>There is a way.</summary>
        Reached = 0,
        /// <summary>A body cannot stand where the way begins.</summary>
        NoRoomAtStart = 1,
        /// <summary>A body cannot stand where the way ends.</summary>
        NoRoomAtGoal = 2,
        /// <summary>One can stand at the start, and go nowhere.</summary>
        StartCutOff = 3,
        /// <summary>One can stand at the goal, and nobody comes there.</summary>
        GoalCutOff = 4,
        /// <summary>What can be reached ends before the goal.</summary>
        RegionEnds = 5,
        /// <summary>The search was given up.</summary>
        GaveUp = 6,
    }

    /// <summary>A portal that a way takes.</summary>
    public struct Passage
    {
        private uint portal;
        private uint waypoint;

        /// <summary>Its game id.</summary>
        public uint Portal
        {
            get { return portal; }
        }

        /// <summary>Number of the waypoint that lies in the portal; the next one is where it leads.</summary>
        public uint Waypoint
        {
            get { return waypoint; }
        }
    }

    /// <summary>A way, or where it would end.</summary>
    public sealed unsafe class Route
    {
        internal Route(World world, ThRoute found)
        {
            End = (RouteEnd)found.end;
            IsProved = found.is_proved != 0;
            Length = found.length;
            Position nearest = *(Position*)&found.nearest;
            Nearest = nearest;
            Gap = found.gap;
            Waypoints = world.Array<Position>((buffer, capacity, count) =>
                Native.th_route_waypoints(world.Handle, (ThPosition*)buffer, capacity, count));
            Doors = world.Array<uint>((buffer, capacity, count) =>
                Native.th_route_doors(world.Handle, (uint*)buffer, capacity, count));
            Cells = world.Array<uint>((buffer, capacity, count) =>
                Native.th_route_cells(world.Handle, (uint*)buffer, capacity, count));
            Portals = world.Array<Passage>((buffer, capacity, count) =>
                Native.th_route_portals(world.Handle, (ThPassage*)buffer, capacity, count));
        }

        /// <summary>Whether there is a way, and if not, why.</summary>
        public RouteEnd End { get; private set; }

        /// <summary>Whether there is a way.</summary>
        public bool IsReached
        {
            get { return End == RouteEnd.Reached; }
        }

        /// <summary>Whether a body has walked every leg of it.</summary>
        public bool IsProved { get; private set; }

        /// <summary>Metres, seen from above.</summary>
        public float Length { get; private set; }

        /// <summary>Where its legs end, the start first and the goal last; empty without a way.</summary>
        public Position[] Waypoints { get; private set; }

        /// <summary>Game ids of closed doors on the way, in order.</summary>
        public uint[] Doors { get; private set; }

        /// <summary>Cells that it passes, in order.</summary>
        public uint[] Cells { get; private set; }

        /// <summary>Portals that it takes, in order.</summary>
        public Passage[] Portals { get; private set; }

        /// <summary>Without a way: the place nearest to the goal that can be reached.</summary>
        public Position Nearest { get; private set; }

        /// <summary>Without a way: metres from there to the goal, seen from above.</summary>
        public float Gap { get; private set; }
    }
}
