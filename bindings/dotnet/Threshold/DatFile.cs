using System;
using System.Runtime.InteropServices;
using System.Text;
using Threshold.Interop;

namespace Threshold
{
    /// <summary>A dat file, read and written record by record.</summary>
    public sealed unsafe class DatFile : IDisposable
    {
        private readonly DatHandle handle;

        private sealed class DatHandle : SafeHandle
        {
            internal DatHandle(ThDat* dat) : base(IntPtr.Zero, true)
            {
                SetHandle((IntPtr)dat);
            }

            public override bool IsInvalid
            {
                get { return handle == IntPtr.Zero; }
            }

            protected override bool ReleaseHandle()
            {
                return Native.th_dat_close((ThDat*)handle) == ThStatus.Ok;
            }
        }

        private DatFile(ThDat* dat)
        {
            handle = new DatHandle(dat);
        }

        private ThDat* Handle
        {
            get { return (ThDat*)handle.DangerousGetHandle(); }
        }

        /// <summary>Opens a dat file.</summary>
        public static DatFile Open(string path)
        {
            if (path == null)
            {
                throw new ArgumentNullException(nameof(path));
            }
            ThDat* dat;
            byte[] bytes = Encoding.UTF8.GetBytes(path);
            fixed (byte* start = bytes)
            {
                Refusal.Check(Native.th_dat_open(start, (uint)bytes.Length, &dat));
            }
            return new DatFile(dat);
        }

        /// <summary>Closes the file.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>Ids of the records from one to another, ascending.</summary>
        public uint[] Ids(uint first = 0, uint last = uint.MaxValue)
        {
            uint count;
            Refusal.Check(Native.th_dat_ids(Handle, first, last, null, 0, &count));
            var ids = new uint[count];
            fixed (uint* buffer = ids)
            {
                Refusal.Check(Native.th_dat_ids(Handle, first, last, buffer, count, &count));
            }
            return ids;
        }

        /// <summary>The bytes of a record.</summary>
        public byte[] Read(uint id)
        {
            uint count;
            Refusal.Check(Native.th_dat_read(Handle, id, null, 0, &count));
            var bytes = new byte[count];
            fixed (byte* buffer = bytes)
            {
                Refusal.Check(Native.th_dat_read(Handle, id, buffer, count, &count));
            }
            return bytes;
        }

        /// <summary>Stores a record; an interrupted write never damages the file.</summary>
        public void Put(uint id, ReadOnlySpan<byte> bytes)
        {
            fixed (byte* start = bytes)
            {
                Refusal.Check(Native.th_dat_put(Handle, id, start, (uint)bytes.Length));
            }
        }

        /// <summary>Removes a record.</summary>
        public void Remove(uint id)
        {
            Refusal.Check(Native.th_dat_remove(Handle, id));
        }
    }
}
