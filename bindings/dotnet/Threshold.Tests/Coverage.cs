using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Threshold.Tests
{
    /// <summary>Which members of the library the tests call, read from their compiled code.</summary>
    internal static class Coverage
    {
        private const BindingFlags All = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance |
            BindingFlags.Static | BindingFlags.DeclaredOnly;

        /// <summary>Fails unless every public method, property, operator and constructor is called by a test.</summary>
        internal static void EveryMethodIsCalled()
        {
            var used = new HashSet<MemberInfo>();
            foreach (Type type in Assembly.GetExecutingAssembly().GetTypes())
            {
                foreach (MethodBase method in type.GetMethods(All).Concat<MethodBase>(type.GetConstructors(All)))
                {
                    used.UnionWith(Uses(method));
                }
            }
            string[] missing = typeof(World).Assembly.GetExportedTypes().Where(type => !type.IsEnum)
                .SelectMany(type => Members(type)).Where(member => !used.Contains(member))
                .Select(member => member.DeclaringType.Name + "." + member.Name).ToArray();
            Program.Expect(used.Count > 150, "calls are found at all: " + used.Count);
            Program.Expect(missing.Length == 0, "every public method is called: " + string.Join(", ", missing));
        }

        private static IEnumerable<MemberInfo> Members(Type type)
        {
            const BindingFlags Public =
                BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
            // Overrides are called by their base's name.
            IEnumerable<MemberInfo> methods = type.GetMethods(Public).Where(method => method.GetBaseDefinition() == method);
            return methods.Concat(type.GetConstructors(Public & ~BindingFlags.Static));
        }

        /// <summary>Fails unless structs that are passed to the library have its fields at its places.</summary>
        internal static void LayoutsAgree()
        {
            var pairs = new Dictionary<Type, string>
            {
                { typeof(Position), "ThPosition" }, { typeof(Target), "ThTarget" }, { typeof(Hit), "ThHit" },
                { typeof(Skills), "ThSkills" }, { typeof(Walker), "ThWalker" }, { typeof(Spot), "ThSpot" },
                { typeof(SightLine), "ThSight" }, { typeof(Ray), "ThRay" }, { typeof(SphereSweep), "ThSweep" },
                { typeof(Swept), "ThSwept" }, { typeof(PathReport), "ThPathReport" },
                { typeof(JumpReport), "ThJumpReport" }, { typeof(PathPolicy), "ThPathPolicy" }, { typeof(Passage), "ThPassage" }, { typeof(NewObject), "ThSpawn" },
                { typeof(EntityInfo), "ThEntityInfo" }, { typeof(Camera), "ThCamera" }, { typeof(MapTile), "ThTile" },
                { typeof(PlanCell), "ThPlanCell" }, { typeof(PlanRegion), "ThPlanRegion" },
                { typeof(PlanStep), "ThPlanStep" }, { typeof(PlanPart), "ThPlanPart" }, { typeof(Update), "ThUpdate" },
                { typeof(Description), "ThDescription" }, { typeof(Movement), "ThMovement" },
            };
            foreach (var pair in pairs)
            {
                Type raw = typeof(World).Assembly.GetType("Threshold.Interop." + pair.Value, true);
                string own = string.Join(" ", Layout(pair.Key, 0)), native = string.Join(" ", Layout(raw, 0));
                Program.Expect(own == native, pair.Value + ": " + own + " is " + native);
            }
        }

        /// <summary>Numbers in a struct, each with its place and size.</summary>
        private static IEnumerable<string> Layout(Type type, int start)
        {
            if (type.IsEnum || type.IsPrimitive)
            {
                Type number = type.IsEnum ? Enum.GetUnderlyingType(type) : type;
                return new[] { start + ":" + number.Name };
            }
            FieldInfo[] fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
            return fields.SelectMany(field =>
            {
                int at = start + (int)Marshal.OffsetOf(type, field.Name);
                var array = field.GetCustomAttribute<FixedBufferAttribute>();
                return array == null
                    ? Layout(field.FieldType, at)
                    : Enumerable.Range(0, array.Length).SelectMany(i => Layout(array.ElementType, at + i * Marshal.SizeOf(array.ElementType)));
            });
        }

        /// <summary>Methods and fields that a method's code names.</summary>
        private static IEnumerable<MemberInfo> Uses(MethodBase method)
        {
            MethodBody body = method.GetMethodBody();
            if (body == null)
            {
                yield break;
            }
            byte[] code = body.GetILAsByteArray();
            int at = 0;
            while (at < code.Length)
            {
                OpCode operation = code[at] == 0xFE ? Long[code[++at]] : Short[code[at]];
                at++;
                switch (operation.OperandType)
                {
                    case OperandType.InlineMethod:
                    case OperandType.InlineField:
                    case OperandType.InlineTok:
                        MemberInfo member = method.Module.ResolveMember(BitConverter.ToInt32(code, at),
                            method.DeclaringType.IsGenericType ? method.DeclaringType.GetGenericArguments() : null,
                            method.IsGenericMethod ? method.GetGenericArguments() : null);
                        if (member != null)
                        {
                            yield return member;
                        }
                        at += 4;
                        break;
                    case OperandType.InlineSwitch:
                        at += 4 + 4 * BitConverter.ToInt32(code, at);
                        break;
                    case OperandType.InlineNone:
                        break;
                    case OperandType.ShortInlineBrTarget:
                    case OperandType.ShortInlineI:
                    case OperandType.ShortInlineVar:
                        at += 1;
                        break;
                    case OperandType.InlineVar:
                        at += 2;
                        break;
                    case OperandType.InlineI8:
                    case OperandType.InlineR:
                        at += 8;
                        break;
                    default:
                        at += 4;
                        break;
                }
            }
        }

        private static readonly Dictionary<byte, OpCode> Short = Operations(1);
        private static readonly Dictionary<byte, OpCode> Long = Operations(2);

        private static Dictionary<byte, OpCode> Operations(int size)
        {
            return typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
                .Select(field => (OpCode)field.GetValue(null)).Where(operation => operation.Size == size)
                .GroupBy(operation => (byte)operation.Value).ToDictionary(group => group.Key, group => group.First());
        }
    }
}
