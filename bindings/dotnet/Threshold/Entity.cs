using System;
using System.Numerics;
using Threshold.Interop;

namespace Threshold
{
    /// <summary>An object of a world. The id of a removed object is never reused.</summary>
    public readonly unsafe struct Entity : IEquatable<Entity>
    {
        internal Entity(World world, ulong id)
        {
            World = world;
            Id = id;
        }

        /// <summary>The world it is in.</summary>
        public readonly World World;
        /// <summary>Its id in the world.</summary>
        public readonly ulong Id;

        /// <summary>Where it is.</summary>
        public Position Position
        {
            get
            {
                Position position;
                World.Check(Native.th_position(World.Handle, Id, (ThPosition*)&position));
                return position;
            }
        }

        /// <summary>Its current state.</summary>
        public EntityInfo Info
        {
            get
            {
                EntityInfo info;
                World.Check(Native.th_entity(World.Handle, Id, (ThEntityInfo*)&info));
                return info;
            }
        }

        /// <summary>Cells in which it is registered and can be hit.</summary>
        public uint[] ShadowCells()
        {
            var world = World.Handle;
            ulong id = Id;
            return World.Array<uint>((buffer, capacity, count) =>
                Native.th_shadow_cells(world, id, (uint*)buffer, capacity, count));
        }

        /// <summary>Places it, using the original's search for a free spot.</summary>
        public Placement Place(Position at)
        {
            ThPlacement placement;
            World.Check(Native.th_place(World.Handle, Id, (ThPosition*)&at, &placement));
            return (Placement)placement;
        }

        /// <summary>Teleports a player to a place; it is placed there as soon as the place is loaded.</summary>
        public void Teleport(Position to)
        {
            World.Check(Native.th_teleport(World.Handle, Id, (ThPosition*)&to));
        }

        /// <summary>Replaces its state word, as the game's server does.</summary>
        public void SetState(uint state)
        {
            World.Check(Native.th_set_state(World.Handle, Id, state));
        }

        /// <summary>Replaces its velocity, at most 50 m/s.</summary>
        public void SetVelocity(Vector3 velocity)
        {
            World.Check(Native.th_set_velocity(World.Handle, Id, (ThVec3*)&velocity));
        }

        /// <summary>Sets the keys that a player holds until the next call.</summary>
        public void Drive(Keys keys)
        {
            World.Check(Native.th_drive(World.Handle, Id, (uint)keys));
        }

        /// <summary>Turns a player right, and its camera up, by degrees.</summary>
        public void Look(float right, float up = 0)
        {
            World.Check(Native.th_look(World.Handle, Id, right, up));
        }

        /// <summary>Uses it as a player would: opens a closed door, closes an open one.</summary>
        public Door Use()
        {
            ThDoor door;
            World.Check(Native.th_use(World.Handle, Id, &door));
            return (Door)door;
        }

        /// <summary>What a player points at, in a direction in the coordinates of its camera's block.</summary>
        public Hit Pick(Vector3 direction)
        {
            Hit hit;
            World.Check(Native.th_pick(World.Handle, Id, (ThVec3*)&direction, (ThHit*)&hit));
            return hit;
        }

        /// <summary>Sweeps it from its position, with its own body and footing, without moving it.</summary>
        public Swept Sweep(Position to)
        {
            Swept swept;
            World.Check(Native.th_sweep_entity(World.Handle, Id, (ThPosition*)&to, (ThSwept*)&swept));
            return swept;
        }

        /// <summary>Removes it from the world.</summary>
        public void Despawn()
        {
            World.Check(Native.th_despawn(World.Handle, Id));
        }

        /// <inheritdoc/>
        public bool Equals(Entity other)
        {
            return Id == other.Id && ReferenceEquals(World, other.World);
        }

        /// <inheritdoc/>
        public override bool Equals(object obj)
        {
            return obj is Entity && Equals((Entity)obj);
        }

        /// <inheritdoc/>
        public override int GetHashCode()
        {
            return Id.GetHashCode();
        }
    }
}
