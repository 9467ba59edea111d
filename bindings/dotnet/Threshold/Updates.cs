using System;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;
using Threshold.Interop;

namespace Threshold
{
    /// <summary>The result of an update.</summary>
    public enum Applied : uint
    {
        /// <summary>It was applied.</summary>
        Done = 0,
        /// <summary>It is older than one that was already applied, or belongs to an earlier instance of the object.</summary>
        Stale = 1,
        /// <summary>It waits for the description of its object, or for the own player to be named.</summary>
        Queued = 2,
        /// <summary>The message does not concern the world.</summary>
        Nothing = 3,
    }

    /// <summary>A server's update of one aspect of an object. Stamps are the game's sequence numbers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public readonly struct Update
    {
        private readonly uint kind;
        private readonly uint guid;
        private readonly ushort instance;
        private readonly ushort stamp;
        private readonly ushort teleport;
        private readonly ushort forcePosition;
        private readonly Position position;
        private readonly Vector3 velocity;
        private readonly Vector3 omega;
        private readonly uint value;
        private readonly float amount;
        private readonly uint contact;
        private readonly uint parent;
        private readonly uint location;
        private readonly uint placement;

        private Update(uint kind, uint guid, ushort instance = 0, ushort stamp = 0, uint value = 0, float amount = 0,
            Position position = default(Position), ushort teleport = 0, ushort forcePosition = 0, bool contact = false,
            uint placement = 0, Vector3 velocity = default(Vector3), Vector3 omega = default(Vector3), uint parent = 0,
            uint location = 0)
        {
            this.kind = kind;
            this.guid = guid;
            this.instance = instance;
            this.stamp = stamp;
            this.teleport = teleport;
            this.forcePosition = forcePosition;
            this.position = position;
            this.velocity = velocity;
            this.omega = omega;
            this.value = value;
            this.amount = amount;
            this.contact = contact ? 1u : 0u;
            this.parent = parent;
            this.location = location;
            this.placement = placement;
        }

        /// <summary>The recipient's own player is this object.</summary>
        public static Update OwnPlayer(uint guid)
        {
            return new Update(0, guid);
        }

        /// <summary>The object is deleted.</summary>
        public static Update Delete(uint guid, ushort instance)
        {
            return new Update(1, guid, instance);
        }

        /// <summary>The object is somewhere; the stamp counts positions.</summary>
        public static Update At(uint guid, Position position, ushort instance, ushort stamp, ushort teleport = 0,
            ushort forcePosition = 0, bool contact = true, uint placement = 0)
        {
            return new Update(2, guid, instance, stamp, position: position, teleport: teleport,
                forcePosition: forcePosition, contact: contact, placement: placement);
        }

        /// <summary>The object has another state; the stamp counts states.</summary>
        public static Update State(uint guid, uint state, ushort instance, ushort stamp)
        {
            return new Update(3, guid, instance, stamp, state);
        }

        /// <summary>The object has another velocity and spin; the stamp counts vectors.</summary>
        public static Update Vector(uint guid, Vector3 velocity, Vector3 omega, ushort instance, ushort stamp)
        {
            return new Update(4, guid, instance, stamp, velocity: velocity, omega: omega);
        }

        /// <summary>The object is held by another one; the instance is the holder's, the stamp counts positions.</summary>
        public static Update Parent(uint child, uint parent, uint location, ushort parentInstance, ushort stamp,
            uint placement = 0)
        {
            return new Update(5, child, parentInstance, stamp, parent: parent, location: location, placement: placement);
        }

        /// <summary>The object is taken out of the world, into a container; the stamp counts positions.</summary>
        public static Update Pickup(uint guid, ushort instance, ushort stamp)
        {
            return new Update(6, guid, instance, stamp);
        }

        /// <summary>The object plays a script, a record.</summary>
        public static Update Script(uint guid, uint script)
        {
            return new Update(7, guid, value: script);
        }

        /// <summary>The object plays the script that its table has for a type and an intensity.</summary>
        public static Update ScriptOfType(uint guid, uint type, float intensity)
        {
            return new Update(8, guid, value: type, amount: intensity);
        }

        /// <summary>The object plays a sound.</summary>
        public static Update Sound(uint guid, uint sound, float volume)
        {
            return new Update(9, guid, value: sound, amount: volume);
        }

        /// <summary>The own player is about to be teleported.</summary>
        public static Update Teleport(ushort stamp)
        {
            return new Update(10, 0, teleport: stamp);
        }
    }

    /// <summary>Kinds of movement orders.</summary>
    public enum Order : uint
    {
        /// <summary>It performs the commands until the next order.</summary>
        State = 0,
        /// <summary>It moves to an object, or to a place if that is not known.</summary>
        MoveToObject = 6,
        /// <summary>It moves to a place.</summary>
        MoveToPosition = 7,
        /// <summary>It turns towards an object, or to a heading if that is not known.</summary>
        TurnToObject = 8,
        /// <summary>It turns to a heading.</summary>
        TurnToHeading = 9,
    }

    /// <summary>A server's movement order; a field that is zero means the usual value.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Movement
    {
        /// <summary>The kind of order.</summary>
        public Order Order;
        /// <summary>The object's game id.</summary>
        public uint Guid;
        /// <summary>Instance number of the object.</summary>
        public ushort Instance;
        /// <summary>Sequence number of movements.</summary>
        public ushort Stamp;
        /// <summary>Sequence number of server-controlled movements.</summary>
        public ushort ServerControl;
        /// <summary>Style, by the low half of its id.</summary>
        public ushort Style;
        /// <summary>Forward or another substate, by the low half of its id.</summary>
        public ushort Forward;
        /// <summary>To the right.</summary>
        public ushort Side;
        /// <summary>Clockwise.</summary>
        public ushort Turn;
        private readonly ushort reserved;
        /// <summary>Speed of the forward command.</summary>
        public float ForwardSpeed;
        /// <summary>Negative to the left.</summary>
        public float SideSpeed;
        /// <summary>Negative counter-clockwise.</summary>
        public float TurnSpeed;
        /// <summary>Game id of an object to stick to.</summary>
        public uint Sticky;
        private uint autonomous;
        /// <summary>Game id of the target.</summary>
        public uint Target;
        /// <summary>Where to.</summary>
        public Position To;
        /// <summary>Movement parameter bits of the game.</summary>
        public uint Bits;
        /// <summary>Distance that counts as arrived, in metres.</summary>
        public float Distance;
        /// <summary>Degrees clockwise from north.</summary>
        public float Heading;
        /// <summary>Speed of the movement.</summary>
        public float Speed;
        /// <summary>New run rate.</summary>
        public float RunRate;

        /// <summary>The object's own player decided it.</summary>
        public bool IsAutonomous
        {
            get { return autonomous != 0; }
            set { autonomous = value ? 1u : 0u; }
        }
    }

    /// <summary>Sequence numbers of a server's updates of an object.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Stamps
    {
        /// <summary>Positions, parents and pickups.</summary>
        public ushort Position;
        /// <summary>Movements.</summary>
        public ushort Movement;
        /// <summary>State words.</summary>
        public ushort State;
        /// <summary>Velocities.</summary>
        public ushort Vector;
        /// <summary>Teleports.</summary>
        public ushort Teleport;
        /// <summary>Server-controlled movements.</summary>
        public ushort ServerControl;
        /// <summary>Forced positions.</summary>
        public ushort ForcePosition;
        /// <summary>Appearances.</summary>
        public ushort Appearance;
        /// <summary>Instances.</summary>
        public ushort Instance;
    }

    /// <summary>A server's full description of an object; unknown fields are zero.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Description
    {
        /// <summary>The object's game id.</summary>
        public uint Guid;
        private uint anew;
        /// <summary>Setup; 0 for none.</summary>
        public uint Setup;
        /// <summary>Motion table; 0 for none.</summary>
        public uint MotionTable;
        /// <summary>Sound table; 0 for none.</summary>
        public uint SoundTable;
        /// <summary>Script table; 0 for none.</summary>
        public uint ScriptTable;
        /// <summary>State word.</summary>
        public uint State;
        /// <summary>Placement frame.</summary>
        public uint Placement;
        /// <summary>Its position; cell 0 if it is in a container or held.</summary>
        public Position Position;
        /// <summary>Metres per second.</summary>
        public Vector3 Velocity;
        /// <summary>Radians per second.</summary>
        public Vector3 Omega;
        /// <summary>Scale; 0 means 1.</summary>
        public float Scale;
        /// <summary>Friction; 0 for the usual 0.95.</summary>
        public float Friction;
        /// <summary>Elasticity; 0 for the usual 0.05.</summary>
        public float Elasticity;
        /// <summary>0 opaque to 1 invisible.</summary>
        public float Translucency;
        /// <summary>Number of its class.</summary>
        public uint ClassId;
        /// <summary>Kind of item, as bits: 0x10 for creatures.</summary>
        public uint ItemType;
        /// <summary>What it is, as bits of the game: 8 a player, 0x1000 a door, 0x40000 a portal.</summary>
        public uint Bits;
        /// <summary>Metres from which it can be used; 0 if unknown.</summary>
        public float UseRadius;
        /// <summary>The container it is in; 0 for none.</summary>
        public uint Container;
        /// <summary>The object that wields it; 0 for none.</summary>
        public uint Wielder;
        /// <summary>The object that holds it; 0 for none.</summary>
        public uint Parent;
        /// <summary>Holding location of the holder's setup.</summary>
        public uint Location;
        /// <summary>Its current sequence numbers.</summary>
        public Stamps Stamps;
        private readonly ushort reserved;

        /// <summary>Replaces an object with the same id.</summary>
        public bool Anew
        {
            get { return anew != 0; }
            set { anew = value ? 1u : 0u; }
        }
    }

    public sealed unsafe partial class World
    {
        /// <summary>Applies a server's update of one aspect of an object; it takes effect in the next tick.</summary>
        public Applied Apply(Update update)
        {
            ThApplied applied;
            Check(Native.th_apply(Handle, (ThUpdate*)&update, &applied));
            return (Applied)applied;
        }

        /// <summary>Applies a server's movement order.</summary>
        public Applied Apply(Movement movement)
        {
            ThApplied applied;
            Check(Native.th_apply_movement(Handle, (ThMovement*)&movement, &applied));
            return (Applied)applied;
        }

        /// <summary>Applies a server's description of an object, creating or updating it.</summary>
        public Applied Apply(Description description, string name = "")
        {
            ThApplied applied = ThApplied.Done;
            ByText(name, (start, length) =>
            {
                Description object_ = description;
                ThApplied found;
                ThStatus status = Native.th_describe(Handle, (ThDescription*)&object_, start, length, &found);
                applied = found;
                return status;
            });
            return (Applied)applied;
        }

        /// <summary>Applies a server's message reassembled from its fragments, starting with the opcode.</summary>
        public Applied Apply(ReadOnlySpan<byte> message)
        {
            ThApplied applied;
            fixed (byte* start = message)
            {
                Check(Native.th_apply_message(Handle, start, (uint)message.Length, &applied));
            }
            return (Applied)applied;
        }

        /// <summary>Holds back all server updates until one names the own player.</summary>
        public void AwaitOwnPlayer()
        {
            Check(Native.th_await_own_player(Handle));
        }

        /// <summary>The own player's game id; null until it is named.</summary>
        public uint? OwnPlayer
        {
            get
            {
                uint guid;
                return Found(Native.th_own_player(Handle, &guid)) ? guid : (uint?)null;
            }
        }

        /// <summary>Forgets all server updates, and removes the objects they described.</summary>
        public void ForgetServer()
        {
            Check(Native.th_forget_server(Handle));
        }
    }
}
