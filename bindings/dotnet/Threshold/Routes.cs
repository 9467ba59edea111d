using System.Runtime.InteropServices;
using Threshold.Interop;

namespace Threshold
{
    /// <summary>What a route may use.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct PathPolicy
    {
        private uint leavesDoorsShut;
        private uint staysDry;
        private float maxDrop;
        private uint unproved;
        private uint takesPortals;

        /// <summary>Opens doors, falls six metres, wades, goes around portals; the route is proved by a body that walks it.</summary>
        public static readonly PathPolicy Default = new PathPolicy { maxDrop = 6 };

        /// <summary>Uses only doors that are already open.</summary>
        public bool LeavesDoorsShut
        {
            get { return leavesDoorsShut != 0; }
            set { leavesDoorsShut = value ? 1u : 0; }
        }

        /// <summary>Avoids water.</summary>
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

        /// <summary>Skips the proof by a walking body, which is faster.</summary>
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

    /// <summary>The result of a search for a route.</summary>
    public enum RouteEnd : uint
    {
        /// <summary>There is a route.</summary>
        Reached = 0,
        /// <summary>There is no room to stand at the start.</summary>
        NoRoomAtStart = 1,
        /// <summary>There is no room to stand at the goal.</summary>
        NoRoomAtGoal = 2,
        /// <summary>The start is cut off.</summary>
        StartCutOff = 3,
        /// <summary>The goal is cut off.</summary>
        GoalCutOff = 4,
        /// <summary>The reachable region ends before the goal.</summary>
        RegionEnds = 5,
        /// <summary>The search took too long.</summary>
        GaveUp = 6,
    }

    /// <summary>A portal that a route takes.</summary>
    public readonly struct Passage
    {
        private readonly uint portal;
        private readonly uint waypoint;

        internal Passage(uint portal, uint waypoint)
        {
            this.portal = portal;
            this.waypoint = waypoint;
        }

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

    /// <summary>A route, or where the reachable region ends.</summary>
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

        /// <summary>Whether there is a route, and if not, why.</summary>
        public RouteEnd End { get; private set; }

        /// <summary>Whether there is a route.</summary>
        public bool IsReached
        {
            get { return End == RouteEnd.Reached; }
        }

        /// <summary>Whether a body has walked every leg of it.</summary>
        public bool IsProved { get; private set; }

        /// <summary>Metres, seen from above.</summary>
        public float Length { get; private set; }

        /// <summary>Where its legs end, the start first and the goal last; empty without a route.</summary>
        public Position[] Waypoints { get; private set; }

        /// <summary>Game ids of the closed doors on the route, in order.</summary>
        public uint[] Doors { get; private set; }

        /// <summary>Cells that it passes through, in order.</summary>
        public uint[] Cells { get; private set; }

        /// <summary>Portals that it takes, in order.</summary>
        public Passage[] Portals { get; private set; }

        /// <summary>Without a route: the place nearest to the goal that can be reached.</summary>
        public Position Nearest { get; private set; }

        /// <summary>Without a route: metres from there to the goal, seen from above.</summary>
        public float Gap { get; private set; }
    }
}
