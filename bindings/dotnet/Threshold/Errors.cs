using System;
using System.Text;
using Threshold.Interop;

namespace Threshold
{
    /// <summary>The kind of error of a <see cref="ThresholdException"/>.</summary>
    public enum Error
    {
        /// <summary>Another thread is using the same world.</summary>
        Busy = 3,
        /// <summary>There is no such object, cell, block, record or name.</summary>
        NotFound = 6,
        /// <summary>The object cannot do that: it is not a player, cannot walk, or is carried by another.</summary>
        NotPossible = 7,
        /// <summary>A file cannot be read or written, or its contents cannot be used.</summary>
        Data = 8,
        /// <summary>Too many worlds or files are open.</summary>
        TooMany = 9,
        /// <summary>Internal error of the library.</summary>
        Internal = 10,
    }

    /// <summary>The engine refused a call; the world is unchanged.</summary>
    public sealed class ThresholdException : Exception
    {
        internal ThresholdException(Error error, string message) : base(message)
        {
            Error = error;
        }

        /// <summary>The kind of error.</summary>
        public Error Error { get; }
    }

    internal static unsafe class Refusal
    {
        /// <summary>Throws unless a call succeeded.</summary>
        internal static void Check(ThStatus status)
        {
            if (status != ThStatus.Ok)
            {
                throw Of(status);
            }
        }

        private static Exception Of(ThStatus status)
        {
            string message = Message();
            switch (status)
            {
                case ThStatus.Closed:
                case ThStatus.NullPointer:
                    return new ObjectDisposedException(null, message);
                case ThStatus.BadArgument:
                case ThStatus.TooSmall:
                    return new ArgumentException(message);
                default:
                    return new ThresholdException((Error)status, message);
            }
        }

        private static string Message()
        {
            const int Room = 1024;
            byte* text = stackalloc byte[Room];
            uint length = Native.th_error(text, Room);
            return Encoding.UTF8.GetString(text, (int)Math.Min(length, Room - 1));
        }
    }
}
