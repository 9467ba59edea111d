#!/usr/bin/env python3
"""Reads the dat files of a world with its own reader and reports what is wrong with them.

    datcheck.py DIR [--json] [-v] [--samples N] [--seed N]

Opens DIR/client_portal.dat and DIR/client_cell_1.dat, checks the container (header, B-tree, block chains, free list), parses
every record whose layout it knows to its last byte, and checks the world those records describe: portals, sides, visible
lists, buildings, BSP trees, references, frames. Prints a summary and the findings.

Exit: 0 clean, 1 findings, 2 a file cannot be opened (or wrong usage). A NOTE (shown with -v) is something retail allows but a
careful writer avoids; notes never change the exit status. Layouts and rules: docs/spec (dat*.md, visibility.md, physics-bsp.md).
Python 3.9 or newer, no packages.
"""
import argparse
import json
import math
import mmap
import os
import random
import struct
import sys
import zlib
from types import SimpleNamespace as Rec

EPS = 0.0002
COINCIDE = 0.02        # metres between polygons that should be the same
NEAR_PLANE = 0.01      # a point this close to a plane says nothing about its side
HEADER_BYTES = 400
NODE_BYTES = 62 * 4 + 4 + 61 * 24
FREE_BIT = 0x80000000
MAX_DEPTH_NODES = 16
MAX_DEPTH_BSP = 1024
SHOWN = 60             # findings printed without -v


class CannotOpen(Exception):
    pass


class Bad(Exception):
    """A record that does not follow its layout."""


# ---------------------------------------------------------------------------------------------------- report

class Report:
    def __init__(self):
        self.findings, self.notes = [], []
        self.examined = {}
        self.found = {}

    def look(self, check, n=1):
        self.examined[check] = self.examined.get(check, 0) + n

    def bad(self, check, where, text):
        self.examined.setdefault(check, 0)
        self.found[check] = self.found.get(check, 0) + 1
        self.findings.append((check, where, text))

    def note(self, check, where, text):
        self.notes.append((check, where, text))

    def want(self, ok, check, where, text, *args):
        """Count one look; a finding unless ok."""
        self.look(check)
        if not ok:
            self.bad(check, where, text % args if args else text)
        return ok


# ---------------------------------------------------------------------------------------------------- vectors

def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def mul(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return math.sqrt(dot(a, a))


def dist(plane, p):
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3]


def mean(pts):
    n = float(len(pts))
    return (sum(p[0] for p in pts) / n, sum(p[1] for p in pts) / n, sum(p[2] for p in pts) / n)


def plane_of(pts):
    """Plane of a polygon as the original makes it; None for a polygon without area."""
    s = (0.0, 0.0, 0.0)
    for i in range(1, len(pts) - 1):
        s = add(s, cross(sub(pts[i], pts[0]), sub(pts[i + 1], pts[0])))
    n = norm(s)
    if n < 1e-6:
        return None
    s = mul(s, 1.0 / n)
    return (s[0], s[1], s[2], -sum(dot(s, p) for p in pts) / len(pts))


def rotate(q, v):
    w, u = q[0], q[1:]
    t = mul(cross(u, v), 2.0)
    return add(add(v, mul(t, w)), cross(u, t))


def to_world(frame, p):
    return add(frame[0], rotate(frame[1], p))


def edge_margin(pts, n, q):
    """Signed distance of q, projected, from the nearest edge line; positive inside a convex counter-clockwise polygon."""
    worst = 1e30
    for i, a in enumerate(pts):
        e = cross(n, sub(pts[(i + 1) % len(pts)], a))
        le = norm(e)
        if le > 1e-9:
            worst = min(worst, dot(sub(q, a), e) / le)
    return worst


def point_polygon(pts, plane, c):
    """Distance of a point from a convex polygon."""
    d = dist(plane, c)
    if edge_margin(pts, plane[:3], c) >= 0:
        return abs(d)
    best = 1e30
    for i, a in enumerate(pts):
        e = sub(pts[(i + 1) % len(pts)], a)
        ee = dot(e, e)
        t = 0.0 if ee == 0 else max(0.0, min(1.0, dot(sub(c, a), e) / ee))
        best = min(best, norm(sub(c, add(a, mul(e, t)))))
    return best


def apart(a, b):
    """Largest distance of a vertex of either convex polygon from the other polygon."""
    pa, pb = plane_of(a), plane_of(b)
    if pa is None or pb is None:
        return 1e30
    return max(max(point_polygon(b, pb, p) for p in a), max(point_polygon(a, pa, p) for p in b))


# ---------------------------------------------------------------------------------------------------- bytes

class Cursor:
    """Bounds-checked little-endian reader; alignment counts from the first byte of the record."""
    __slots__ = ('d', 'p', 'n')

    def __init__(self, data):
        self.d, self.p, self.n = data, 0, len(data)

    def left(self):
        return self.n - self.p

    def get(self, fmt, size):
        if self.p + size > self.n:
            raise Bad('ends at byte %d, %d more needed at byte %d' % (self.n, size, self.p))
        v = struct.unpack_from(fmt, self.d, self.p)
        self.p += size
        return v

    def u8(self):
        return self.get('<B', 1)[0]

    def u16(self):
        return self.get('<H', 2)[0]

    def i16(self):
        return self.get('<h', 2)[0]

    def u32(self):
        return self.get('<I', 4)[0]

    def i32(self):
        return self.get('<i', 4)[0]

    def f32(self):
        return self.get('<f', 4)[0]

    def f64(self):
        return self.get('<d', 8)[0]

    def floats(self, n):
        return self.get('<%df' % n, 4 * n)

    def vec(self):
        return self.get('<3f', 12)

    def u16s(self, n):
        self.room(n, 2)
        return list(self.get('<%dH' % n, 2 * n))

    def u32s(self, n):
        self.room(n, 4)
        return list(self.get('<%dI' % n, 4 * n))

    def skip(self, n):
        if self.p + n > self.n:
            raise Bad('ends at byte %d, %d more needed at byte %d' % (self.n, n, self.p))
        self.p += n

    def room(self, count, smallest):
        if count < 0 or count * smallest > self.left():
            raise Bad('count %d at byte %d does not fit into the %d bytes left' % (count, self.p, self.left()))
        return count

    def count(self, smallest):
        return self.room(self.u32(), smallest)

    def compressed(self):
        a = self.u8()
        if a < 0x80:
            return a
        b = self.u8()
        if a < 0xC0:
            return (a & 0x3F) << 8 | b
        return (a & 0x3F) << 24 | b << 16 | self.u16()

    def align(self):
        self.skip(-self.p % 4)

    def string(self):
        n = self.u16()
        if n == 0xFFFF:
            n = self.u32()
        self.room(n, 1)
        s = bytes(self.d[self.p:self.p + n])
        self.skip(n)
        self.align()
        return s.decode('cp1252', 'replace')

    def frame(self):
        v = self.floats(7)
        return (v[0:3], v[3:7])


# ---------------------------------------------------------------------------------------------------- container

class Dat:
    """One dat file: header, directory, chains. Problems go to the report; only an unusable file raises."""

    def __init__(self, path, kind, rep):
        self.name = os.path.basename(path)
        self.rep = rep
        try:
            with open(path, 'rb') as fh:
                size = os.fstat(fh.fileno()).st_size
                if size < HEADER_BYTES:
                    raise CannotOpen('%s: %d bytes, shorter than its header' % (path, size))
                self.d = mmap.mmap(fh.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as e:
            raise CannotOpen('%s: %s' % (path, e.strerror or e))
        self.size = size
        h = struct.unpack_from('<15I', self.d, 0x140)
        self.magic, self.block, self.size_field, self.type, self.subset = h[0:5]
        self.free_first, self.free_last, self.free_count, self.root = h[5:9]
        if self.magic != 0x5442:
            raise CannotOpen('%s: magic %08X is not 00005442' % (path, self.magic))
        if self.block % 4 or not 64 <= self.block <= 65536:
            raise CannotOpen('%s: block size %d' % (path, self.block))
        if self.root and not HEADER_BYTES <= self.root <= size - self.block:
            raise CannotOpen('%s: root node at %X is outside the file' % (path, self.root))
        self.payload = self.block - 4
        if self.block not in (0x100, 0x400):
            rep.note('container.header', self.name, 'block size %d (retail: 256, 1024)' % self.block)
        rep.want(self.type == kind, 'container.header', self.name, 'type field %d, expected %d', self.type, kind)
        rep.want(self.size_field <= size, 'container.header', self.name, 'size field %d but only %d bytes: cut off',
                 self.size_field, size)
        if self.size_field < size:
            rep.note('container.header', self.name, 'size field %d, %d bytes present' % (self.size_field, size))
        self.entries = {}
        self.owner = {}
        self.nodes, self.depth = 0, 0
        self.fill = []
        self.broken = set()
        if self.root:
            self._walk()
        self._records()
        self._free()
        self._overlaps()
        self._iteration()

    def _chain(self, at, size, who):
        """Blocks of a chain in order; stops and reports at the first fault. Returns (offsets, complete)."""
        check, where = 'container.chain', '%s %s' % (self.name, who)
        self.rep.look(check)
        out, seen = [], set()
        need = max(1, -(-size // self.payload))
        while True:
            last = len(out) == need - 1
            wanted = self.block if not last else 4 + size - self.payload * (need - 1)
            if at < HEADER_BYTES or at + wanted > self.size:
                self.rep.bad(check, where, 'block %d of %d at %X is outside the file' % (len(out) + 1, need, at))
                return out, False
            if at in seen:
                self.rep.bad(check, where, 'chain comes back to block %X' % at)
                return out, False
            if at % self.block:
                self.rep.note(check, where, 'block %X is not aligned' % at)
            seen.add(at)
            out.append(at)
            link = struct.unpack_from('<I', self.d, at)[0]
            if last:
                if link:
                    self.rep.note(check, where, 'link %X after the last byte' % link)
                return out, True
            if link & FREE_BIT:
                self.rep.bad(check, where, 'runs into the free list after block %d of %d' % (len(out), need))
                return out, False
            if link == 0:
                self.rep.bad(check, where, 'ends after block %d of %d' % (len(out), need))
                return out, False
            at = link

    def _bytes(self, blocks, size):
        out = bytearray()
        for at in blocks:
            out += self.d[at + 4:at + 4 + min(self.payload, size - len(out))]
        return bytes(out)

    def _own(self, blocks, who):
        for at in blocks:
            if at in self.owner:
                self.rep.bad('container.overlap', '%s %s' % (self.name, who), 'block %X also belongs to %s' % (
                    at, self.owner[at]))
            else:
                self.owner[at] = who
        self.rep.look('container.overlap', len(blocks))

    def _walk(self):
        rep, leaf_depths = self.rep, set()
        seen, most = set(), self.size // (self.block * -(-NODE_BYTES // self.payload)) + 1
        stack = [(self.root, -1, 1 << 32, 1)]
        while stack:
            at, low, high, depth = stack.pop()
            where = '%s node %X' % (self.name, at)
            rep.look('container.tree')
            if at in seen:
                rep.bad('container.tree', where, 'reached twice (cycle or shared child)')
                continue
            seen.add(at)
            if depth > MAX_DEPTH_NODES or len(seen) > most:
                rep.bad('container.tree', where, 'tree is too deep or has too many nodes')
                continue
            blocks, ok = self._chain(at, NODE_BYTES, 'node %X' % at)
            self._own(blocks, 'node %X' % at)
            if not ok:
                continue
            b = self._bytes(blocks, NODE_BYTES)
            branches = struct.unpack_from('<62I', b, 0)
            n = struct.unpack_from('<I', b, 248)[0]
            if n > 61:
                rep.bad('container.tree', where, '%d entries, at most 61 fit' % n)
                continue
            self.nodes += 1
            self.depth = max(self.depth, depth)
            self.fill.append(n)
            if depth > 1:
                rep.want(n >= 30, 'container.fill', where, '%d entries, at least 30 expected below the root', n)
            leaf = branches[0] in (0, 0xCDCDCDCD)
            if branches[0] == 0xCDCDCDCD:
                rep.note('container.tree', where, 'leaf marked CDCDCDCD; the original client takes it for an inner node')
            if leaf:
                leaf_depths.add(depth)
            last, kids = low, []
            for i in range(n):
                flags, version, fid, off, size, date, itn = struct.unpack_from('<HHIIIII', b, 252 + i * 24)
                if not last < fid < high:
                    rep.bad('container.tree', where, 'entry %d: id %08X is out of order (allowed %08X..%08X)' % (
                        i, fid, max(0, last + 1), high - 1))
                if fid in self.entries:
                    rep.bad('container.tree', where, 'id %08X occurs twice' % fid)
                else:
                    self.entries[fid] = (off, size, flags, version, itn)
                kids.append((last, fid))
                last = max(last, fid)
            kids.append((last, high))
            if not leaf:
                if n == 0:
                    rep.bad('container.tree', where, 'inner node without entries')
                for i in range(n, -1, -1):
                    if branches[i] in (0, 0xCDCDCDCD) or not HEADER_BYTES <= branches[i] <= self.size - self.block:
                        rep.bad('container.tree', where, 'child %d at %X does not exist' % (i, branches[i]))
                    else:
                        stack.append((branches[i], kids[i][0], kids[i][1], depth + 1))
        rep.want(len(leaf_depths) <= 1, 'container.depth', self.name, 'leaves at depths %s', sorted(leaf_depths))

    def _records(self):
        self.blocks = {}
        for fid in sorted(self.entries):
            off, size = self.entries[fid][:2]
            who = 'record %08X' % fid
            if size > self.size:
                self.rep.bad('container.chain', '%s %s' % (self.name, who), 'size %d exceeds the file' % size)
                self.broken.add(fid)
                continue
            blocks, ok = self._chain(off, size, who)
            self._own(blocks, who)
            self.blocks[fid] = blocks
            if not ok:
                self.broken.add(fid)

    def _free(self):
        rep, check = self.rep, 'container.free'
        rep.look(check)
        self.free_blocks = []
        if not self.free_count:
            return
        at, seen = self.free_first, set()
        while True:
            if not HEADER_BYTES <= at <= self.size - self.block:
                rep.bad(check, self.name, 'free block %X is outside the file' % at)
                return
            if at in seen:
                rep.bad(check, self.name, 'free list comes back to block %X' % at)
                return
            seen.add(at)
            self.free_blocks.append(at)
            if at in self.owner:
                rep.bad(check, self.name, 'free block %X is used by %s' % (at, self.owner[at]))
                return
            link = struct.unpack_from('<I', self.d, at)[0]
            if not link & FREE_BIT and link:
                rep.bad(check, self.name, 'free block %X is not marked free (link %X)' % (at, link))
                return
            if link & ~FREE_BIT == 0:
                break
            if len(self.free_blocks) > self.free_count:
                break
            at = link & ~FREE_BIT
        rep.want(len(self.free_blocks) == self.free_count, check, self.name, 'header counts %d free blocks, the list has %d%s',
                 self.free_count, len(self.free_blocks), '+' if len(self.free_blocks) > self.free_count else '')
        if at != self.free_last:
            rep.note(check, self.name, 'last free block is %X, the header says %X' % (at, self.free_last))

    def _overlaps(self):
        """Blocks that overlap without starting at the same place (only possible off the grid), and lost blocks."""
        starts = sorted(set(self.owner) | set(self.free_blocks))
        for a, b in zip(starts, starts[1:]):
            if b - a < self.block:
                self.rep.bad('container.overlap', self.name, 'blocks %X (%s) and %X (%s) overlap' % (
                    a, self.owner.get(a, 'free'), b, self.owner.get(b, 'free')))
        first = starts[0] if starts else self.size
        lost = (self.size - first) // self.block - len(starts)
        if lost > 0:
            self.rep.note('container.free', self.name, '%d blocks neither used nor free' % lost)

    def _iteration(self):
        check = 'container.iteration'
        self.iteration = 0
        if not self.rep.want(0xFFFF0001 in self.entries, check, self.name, 'iteration record FFFF0001 is missing'):
            return
        if self.entries[0xFFFF0001][3] != 1:
            self.rep.note(check, self.name, 'iteration record has entry version %d (retail: 1)' % self.entries[0xFFFF0001][3])
        try:
            c = Cursor(self.read(0xFFFF0001))
            total, left, top = c.i32(), 0, 0
            if not 0 <= total <= 100000:
                raise Bad('%d integers' % total)
            left = total
            while left > 0:
                v = c.i32()
                run = -v if v < 0 else 1
                start = c.i32() if v < 0 else v
                if run > left:
                    raise Bad('run of %d where %d are left' % (run, left))
                left -= run
                top = max(top, start + run - 1)
            self.iteration = top
        except Bad as e:
            self.rep.bad(check, self.name, 'iteration record: %s' % e)

    def read(self, fid):
        off, size, flags = self.entries[fid][:3]
        if fid in self.broken:
            raise Bad('its block chain is broken')
        data = self._bytes(self.blocks[fid], size)
        if flags & 1:
            if len(data) < 4:
                raise Bad('compressed, but only %d bytes' % len(data))
            want = struct.unpack_from('<I', data, 0)[0]
            if want > 64 << 20 or want > 1032 * len(data):
                raise Bad('compressed, claims %d bytes' % want)
            try:
                un = zlib.decompressobj()
                out = un.decompress(data[4:], want + 1)
            except zlib.error as e:
                raise Bad('compressed: %s' % e)
            if len(out) != want:
                raise Bad('compressed: %d bytes instead of %d' % (len(out), want))
            data = out
        return data


# ---------------------------------------------------------------------------------------------------- records: geometry

TAGS = {
    0x504F5254: ('PORT', 1, 1), 0x4C454146: ('LEAF', 0, 0), 0x42506E6E: ('BPnn', 1, 0), 0x4250496E: ('BPIn', 1, 0),
    0x4270494E: ('BpIN', 0, 1), 0x42706E4E: ('BpnN', 0, 1), 0x4250494E: ('BPIN', 1, 1), 0x42506E4E: ('BPnN', 1, 1),
    0x42706E6E: ('Bpnn', 0, 0), 0x4270496E: ('BpIn', 0, 0), 0x42504F4C: ('BPOL', 0, 0), 0x4250464C: ('BPFL', 0, 0)}


class Node:
    __slots__ = ('tag', 'plane', 'pos', 'neg', 'sphere', 'polys', 'portals', 'leaf', 'solid')

    def __init__(self, tag):
        self.tag = tag
        self.plane = self.pos = self.neg = self.sphere = None
        self.polys, self.portals = (), ()
        self.leaf = self.solid = 0


def nodes(root):
    stack = [root]
    while stack:
        n = stack.pop()
        if n is not None:
            yield n
            stack.append(n.neg)
            stack.append(n.pos)


def bsp(c, kind, depth=0):
    """kind: 'drawing', 'physics' or 'cell'."""
    if depth > MAX_DEPTH_BSP:
        raise Bad('BSP deeper than %d at byte %d' % (MAX_DEPTH_BSP, c.p))
    at = c.p
    tag = c.u32()
    if tag not in TAGS:
        raise Bad('unknown BSP tag %08X at byte %d' % (tag, at))
    name, pos, neg = TAGS[tag]
    n = Node(name)
    if name == 'LEAF':
        n.leaf = c.i32()
        if kind == 'physics':
            n.solid = c.i32()
            n.sphere = c.floats(4)
            n.polys = c.u16s(c.u32())
        return n
    n.plane = c.floats(4)
    if pos:
        n.pos = bsp(c, kind, depth + 1)
    if neg:
        n.neg = bsp(c, kind, depth + 1)
    if name == 'PORT':
        if kind == 'drawing':
            n.sphere = c.floats(4)
            a, b = c.u32(), c.u32()
            n.polys = c.u16s(a)
            v = c.u16s(2 * b)
            n.portals = list(zip(v[0::2], v[1::2]))
        return n
    if kind != 'cell':
        n.sphere = c.floats(4)
    if kind == 'drawing':
        n.polys = c.u16s(c.u32())
    return n


def vertices(c, o):
    kind = c.i32()
    if kind != 1:
        raise Bad('vertex type %d' % kind)
    o.verts, o.uvs = {}, {}
    for _ in range(c.count(28)):
        key, k = c.get('<HH', 4)
        p = c.vec()
        c.vec()
        c.room(k, 8)
        c.skip(8 * k)
        if key in o.verts:
            o.faults.append('vertex key %d occurs twice' % key)
            continue
        if not all(math.isfinite(x) for x in p):
            raise Bad('vertex %d is not finite' % key)
        o.verts[key], o.uvs[key] = p, k


def polygons(c, count, o):
    out = {}
    for _ in range(c.room(count, 12)):
        key, n, stipple, sides, pos, neg = c.get('<HBBihh', 12)
        p = Rec(key=key, stipple=stipple, sides=sides, pos=pos, neg=neg, verts=c.u16s(n), pos_uv=(), neg_uv=())
        if not stipple & 4:
            p.pos_uv = c.get('<%dB' % n, n)
        if sides == 2 and not stipple & 8:
            p.neg_uv = c.get('<%dB' % n, n)
        if key in out:
            o.faults.append('polygon id %d occurs twice' % key)
        else:
            out[key] = p
    return out


def r_cellstruct(c):
    o = Rec(faults=[])
    a, b, n = c.u32(), c.u32(), c.u32()
    vertices(c, o)
    o.drawing = polygons(c, a, o)
    o.portals = c.u16s(n)
    c.align()
    o.cell_bsp = bsp(c, 'cell')
    o.physics = polygons(c, b, o)
    o.physics_bsp = bsp(c, 'physics')
    o.drawing_bsp = bsp(c, 'drawing') if c.u32() else None
    c.align()
    return o


def r_environment(c):
    o = Rec(id=c.u32(), cells={}, faults=[])
    for _ in range(c.count(40)):
        key = c.u32()
        s = r_cellstruct(c)
        if key in o.cells:
            o.faults.append('structure key %d occurs twice' % key)
        else:
            o.cells[key] = s
    return o


def r_gfxobj(c):
    o = Rec(id=c.u32(), flags=c.u32(), faults=[], physics={}, physics_bsp=None, drawing={}, drawing_bsp=None, degrade=0)
    o.surfaces = c.u32s(c.compressed())
    vertices(c, o)
    if o.flags & 1:
        o.physics = polygons(c, c.compressed(), o)
        o.physics_bsp = bsp(c, 'physics')
    o.sort_centre = c.vec()
    if o.flags & 2:
        o.drawing = polygons(c, c.compressed(), o)
        o.drawing_bsp = bsp(c, 'drawing')
    if o.flags & 8:
        o.degrade = c.u32()
    return o


# ---------------------------------------------------------------------------------------------------- records: the rest

HOOK_BYTES = {0: 0, 1: 4, 2: 4, 3: 28, 4: 0, 6: 4, 7: 16, 8: 12, 9: 16, 10: 12, 11: 16, 12: 8, 13: 40, 14: 4, 15: 4, 16: 4,
              17: 0, 18: 4, 19: 8, 20: 12, 21: 16, 22: 12, 23: 8, 24: 12, 25: 4, 26: 40}


def hook(c, pad):
    kind = c.u32()
    c.i32()
    if kind == 5:
        c.u16()
        if c.u16() & 0x8000:
            c.u16()
            if pad:
                c.align()
    elif kind in HOOK_BYTES:
        c.skip(HOOK_BYTES[kind])
    else:
        raise Bad('unknown hook type %X at byte %d' % (kind, c.p - 8))


def anim_frame(c, parts, pad):
    c.room(parts, 28)
    frames = [c.frame() for _ in range(parts)]
    for _ in range(c.count(8)):
        hook(c, pad)
    return frames


def r_setup(c, pad=True):
    o = Rec(id=c.u32(), flags=c.u32(), faults=[], frames=[])
    n = c.count(4)
    if n > 1024:
        raise Bad('%d parts' % n)
    o.parts = c.u32s(n)
    o.parents = c.u32s(n) if o.flags & 1 else []
    o.scales = [c.vec() for _ in range(n)] if o.flags & 2 else []
    for what in ('holding location', 'connection point'):
        for _ in range(c.count(36)):
            key = c.i32()
            c.i32()
            o.frames.append(('%s %d' % (what, key), c.frame()))
    o.placements = {}
    for _ in range(c.count(8)):
        key = c.i32()
        fr = anim_frame(c, n, pad)
        o.placements.setdefault(key, fr)
        o.frames += [('placement %d part %d' % (key, i), f) for i, f in enumerate(fr)]
    o.cylinders = [c.floats(5) for _ in range(c.count(20))]
    o.spheres = [c.floats(4) for _ in range(c.count(16))]
    o.height, o.radius, o.step_up, o.step_down = c.floats(4)
    o.sorting, o.selection = c.floats(4), c.floats(4)
    for _ in range(c.count(48)):
        key = c.i32()
        o.frames.append(('light %d' % key, c.frame()))
        c.skip(16)
    o.defaults = c.u32s(5)
    return o


def r_animation(c, pad=True):
    o = Rec(id=c.u32(), flags=c.u32(), faults=[], frames=[])
    parts, n = c.u32(), c.u32()
    if parts > 1024 or n > 65536:
        raise Bad('%d parts, %d frames' % (parts, n))
    c.room(n, 28 * parts + 4)
    if o.flags & 1:
        o.frames += [('root %d' % i, c.frame()) for i in range(n)]
    for i in range(n):
        o.frames += [('frame %d part %d' % (i, k), f) for k, f in enumerate(anim_frame(c, parts, pad))]
    return o


def motion(c):
    n, _, flags = c.u8(), c.u8(), c.u8()
    c.align()
    c.room(n, 16)
    c.skip(16 * n)
    c.skip(12 * ((flags & 1) + (flags >> 1 & 1)))


def r_motion_table(c):
    o = Rec(id=c.u32(), faults=[])
    c.u32()
    c.skip(8 * c.count(8))
    for _ in range(2):
        for _ in range(c.count(8)):
            c.u32()
            motion(c)
    for _ in range(c.count(8)):
        c.u32()
        for _ in range(c.count(8)):
            c.u32()
            motion(c)
    c.align()
    return o


def r_palette(c):
    o = Rec(id=c.u32(), faults=[])
    o.count = c.count(4)
    c.skip(4 * o.count)
    return o


def r_surface_texture(c):
    o = Rec(id=c.u32(), category=c.u32(), kind=c.u8(), faults=[])
    o.levels = c.u32s(c.u32())
    return o


PIXEL_BYTES = {0x14: 3, 0x15: 4, 0x16: 4, 0x17: 2, 0x18: 2, 0x19: 2, 0x1A: 2, 0x1C: 1, 0x29: 1, 0x32: 1, 0x65: 2, 0xF3: 3, 0xF4: 1}
BLOCK_BYTES = {0x31545844: 8, 0x33545844: 16, 0x35545844: 16}


def r_render_surface(c):
    o = Rec(id=c.u32(), category=c.u32(), width=c.i32(), height=c.i32(), format=c.u32(), palette=0, faults=[])
    n = c.i32()
    c.room(n, 1)
    c.skip(n)
    if o.format in (0x65, 0x29):
        o.palette = c.u32()
    if o.format != 0x1F4:
        if not (0 < o.width <= 8192 and 0 < o.height <= 8192):
            raise Bad('%d x %d pixels' % (o.width, o.height))
        want = None
        if o.format in PIXEL_BYTES:
            want = o.width * o.height * PIXEL_BYTES[o.format]
        elif o.format in BLOCK_BYTES:
            want = -(-o.width // 4) * -(-o.height // 4) * BLOCK_BYTES[o.format]
        if want is not None and n < want:
            o.faults.append('%d pixel bytes, %d needed' % (n, want))
    return o


def r_surface(c):
    o = Rec(flags=c.u32(), texture=0, palette=0, faults=[])
    if o.flags & 6:
        o.texture, o.palette = c.u32(), c.u32()
    else:
        c.u32()
    c.floats(3)
    return o


def r_list(size, name):
    def read(c):
        o = Rec(id=c.u32(), faults=[])
        o.items = []
        for _ in range(c.count(size)):
            o.items.append(struct.unpack_from('<I', c.d, c.p)[0])
            c.skip(size)
        return o
    read.__name__ = name
    return read


def r_wave(c):
    o = Rec(id=c.u32(), faults=[])
    h, d = c.i32(), c.i32()
    if h < 16 or d < 0:
        raise Bad('header of %d bytes, data of %d' % (h, d))
    c.skip(h)
    c.skip(d)
    return o


def r_sound_table(c):
    o = Rec(id=c.u32(), faults=[])

    def level(depth):
        if depth > 16:
            raise Bad('sound table deeper than 16')
        c.u32()
        c.skip(16 * c.count(16))
        for _ in range(c.count(12)):
            level(depth + 1)
    level(0)
    return o


def r_emitter(c):
    o = Rec(id=c.u32(), faults=[])
    c.skip(172)
    return o


def r_script(c, pad=True):
    o = Rec(id=c.u32(), faults=[])
    for _ in range(c.count(16)):
        c.f64()
        hook(c, pad)
    return o


def r_script_table(c):
    o = Rec(id=c.u32(), faults=[])
    for _ in range(c.count(8)):
        c.u32()
        c.skip(8 * c.count(8))
    return o


def r_region(c):
    o = Rec(id=c.u32(), number=c.u32(), faults=[])
    version = c.u32()
    if version != 3:
        raise Bad('version %d' % version)
    o.name = c.string()
    o.blocks = (c.i32(), c.i32())
    o.square = c.f32()
    c.i32(), c.i32()
    c.floats(3)
    o.heights = c.floats(256)
    c.f64(), c.u32(), c.f32(), c.u32(), c.string()
    for _ in range(c.count(12)):
        c.f32(), c.u32(), c.string()
    for _ in range(c.count(4)):
        c.string()
    for _ in range(c.count(8)):
        c.u32(), c.string()
    mask = c.u32()
    if mask & 0x10:
        c.f64(), c.f64()
        for _ in range(c.count(16)):
            c.f32(), c.string()
            c.skip(36 * c.count(36))
            for _ in range(c.count(48)):
                c.skip(44)
                c.skip(24 * c.count(24))
    if mask & 0x1:
        for _ in range(c.count(8)):
            c.u32()
            c.skip(20 * c.count(20))
    if mask & 0x2:
        for _ in range(c.count(8)):
            c.u32()
            c.skip(4 * c.count(4))
    o.terrain = []
    for _ in range(c.count(12)):
        o.terrain.append(c.string())
        c.u32()
        c.skip(4 * c.count(4))
    kind = c.u32()
    if kind != 0:
        raise Bad('land surface of kind %d' % kind)
    c.u32()
    o.textures = []
    for _ in range(3):
        for _ in range(c.count(8)):
            c.u32()
            o.textures.append(c.u32())
    for _ in range(c.count(44)):
        c.u32()
        o.textures.append(c.u32())
        c.skip(36)
    if mask & 0x200:
        c.skip(24)
    if not o.square > 0 or not all(1 <= b <= 256 for b in o.blocks):
        raise Bad('land definitions %r %r' % (o.square, o.blocks))
    if not all(math.isfinite(h) for h in o.heights):
        o.faults.append('height table is not finite')
    return o


def r_landblock(c):
    o = Rec(id=c.u32(), info=c.u32(), faults=[])
    o.terrain = c.u16s(81)
    o.height = c.get('<81B', 81)
    c.align()
    return o


def stabs(c):
    return [(c.u32(), c.frame()) for _ in range(c.count(32))]


def r_info(c):
    o = Rec(id=c.u32(), cells=c.u32(), faults=[], buildings=[], restrictions=[])
    o.objects = stabs(c)
    n, mask = c.u16(), c.u16()
    for _ in range(c.room(n, 40)):
        b = Rec(model=c.u32(), frame=c.frame(), leaves=c.u32(), portals=[])
        for _ in range(c.count(8)):
            p = Rec(flags=c.u16(), cell=c.u16(), portal=c.i16())
            p.stabs = c.u16s(c.u16())
            c.align()
            b.portals.append(p)
        o.buildings.append(b)
    if mask & 1:
        n = c.u16()
        c.u16()
        o.restrictions = [(c.u32(), c.u32()) for _ in range(c.room(n, 8))]
    if mask & 2:
        raise Bad('pack mask bit 1 (unknown layout)')
    return o


def r_envcell(c):
    o = Rec(id=c.u32(), flags=c.u32(), id2=c.u32(), faults=[])
    a, b, v = c.u8(), c.u8(), c.u16()
    o.surfaces = c.u16s(a)
    o.environment, o.structure = c.u16(), c.u16()
    o.frame = c.frame()
    o.portals = []
    for _ in range(c.room(b, 8)):
        o.portals.append(Rec(flags=c.u16(), polygon=c.u16(), cell=c.u16(), portal=c.i16()))
    o.visible = c.u16s(v)
    if o.flags & 4:
        raise Bad('server data flag')
    o.statics = stabs(c) if o.flags & 2 else []
    o.restriction = c.u32() if o.flags & 8 else 0
    return o


PORTAL_TYPES = {
    0x01: ('GfxObj', r_gfxobj), 0x02: ('Setup', r_setup), 0x03: ('Animation', r_animation), 0x04: ('Palette', r_palette),
    0x05: ('SurfaceTexture', r_surface_texture), 0x06: ('RenderSurface', r_render_surface),
    0x07: ('RenderSurface', r_render_surface), 0x08: ('Surface', r_surface), 0x09: ('MotionTable', r_motion_table),
    0x0A: ('Wave', r_wave), 0x0D: ('Environment', r_environment), 0x0F: ('PalSet', r_list(4, 'palset')),
    0x11: ('GfxObjDegradeInfo', r_list(20, 'degrade')), 0x12: ('Scene', r_list(76, 'scene')), 0x13: ('Region', r_region),
    0x15: ('RenderTexture', r_surface_texture), 0x20: ('SoundTable', r_sound_table), 0x32: ('ParticleEmitter', r_emitter),
    0x33: ('PhysicsScript', r_script), 0x34: ('PhysicsScriptTable', r_script_table)}
OPTIONAL_PAD = (r_setup, r_animation, r_script)
KEEP = {'GfxObj', 'Setup', 'Surface', 'SurfaceTexture', 'RenderSurface', 'Region', 'Environment', 'LandBlock', 'LandBlockInfo',
        'EnvCell', 'GfxObjDegradeInfo', 'Palette'}


def parse(fn, data):
    """Returns (record, unread bytes)."""
    tries = (True, False) if fn in OPTIONAL_PAD else (None,)
    error = None
    for pad in tries:
        c = Cursor(data)
        try:
            o = fn(c) if pad is None else fn(c, pad)
        except Bad as e:
            error = error or e
            continue
        if pad is None or c.left() == 0 or pad is False:
            return o, bytes(data[c.p:])
        keep = (o, bytes(data[c.p:]))
        error = None
        try:
            c2 = Cursor(data)
            o2 = fn(c2, False)
            return (o2, b'') if c2.left() == 0 else keep
        except Bad:
            return keep
    raise error


# ---------------------------------------------------------------------------------------------------- trees and shapes

def shape_points(o, poly):
    """Corner points of a polygon, or None when it cannot be used."""
    try:
        return [o.verts[k] for k in poly.verts] if len(poly.verts) >= 3 else None
    except KeyError:
        return None


def faces_of(o, polys):
    """{id: (points, plane)} of the usable polygons."""
    out = {}
    for key, p in polys.items():
        pts = shape_points(o, p)
        pl = plane_of(pts) if pts else None
        if pl is not None:
            out[key] = (pts, pl)
    return out


def check_polygons(rep, where, o, polys, faces, surfaces):
    for key, p in polys.items():
        who = '%s polygon %d' % (where, key)
        rep.look('geom.polygon')
        if len(p.verts) < 3:
            rep.bad('geom.polygon', who, '%d vertices' % len(p.verts))
            continue
        missing = [k for k in p.verts if k not in o.verts]
        if missing:
            rep.bad('geom.polygon', who, 'vertex %d does not exist' % missing[0])
            continue
        if key not in faces:
            rep.bad('geom.polygon', who, 'no area')
            continue
        pts, pl = faces[key]
        off = max(abs(dist(pl, q)) for q in pts)
        if off > 0.005:
            rep.bad('geom.polygon', who, 'not flat (%.4f m)' % off)
        for i in range(len(pts)):
            a, b, c = pts[i - 2], pts[i - 1], pts[i]
            u, v = sub(b, a), sub(c, b)
            if dot(cross(u, v), pl[:3]) < -1e-3 * max(1e-3, norm(u) * norm(v)):
                rep.bad('geom.polygon', who, 'not convex')
                break
        for uv in (p.pos_uv, p.neg_uv):
            bad = [i for i, k in zip(uv, p.verts) if i >= max(1, o.uvs[k])]
            if bad:
                rep.bad('geom.polygon', who, 'texture coordinate %d does not exist' % bad[0])
                break
        if surfaces is not None and not p.stipple & 4 and p.pos >= surfaces:
            rep.bad('geom.polygon', who, 'surface %d of %d' % (p.pos, surfaces))


def check_tree(rep, where, root, kind, polys, faces):
    """Planes, polygon references and bounding spheres. Returns the set of polygons named."""
    named = set()

    def visit(n):
        """Polygon ids below n."""
        if n is None:
            return ()
        rep.look('bsp.plane')
        if n.plane is not None:
            ln = norm(n.plane[:3])
            if not math.isfinite(ln + n.plane[3]) or abs(ln - 1) > 1e-3:
                rep.bad('bsp.plane', where, '%s node: normal of length %.4f' % (n.tag, ln))
        ids = list(n.polys) + [p for p, _ in n.portals]
        for k in ids:
            rep.look('bsp.polygon')
            if k not in polys:
                rep.bad('bsp.polygon', where, '%s node names polygon %d, which does not exist' % (n.tag, k))
        if n.tag == 'PORT':
            for k, _ in n.portals:
                if k in faces:
                    off = max(abs(dist(n.plane, q)) for q in faces[k][0])
                    if off > COINCIDE:
                        rep.bad('bsp.plane', where, 'PORT polygon %d is %.3f m off its node plane' % (k, off))
        elif kind == 'drawing' and n.plane is not None:
            for k in n.polys:
                if k in faces and max(abs(dist(n.plane, q)) for q in faces[k][0]) > COINCIDE:
                    rep.note('bsp.plane', where, 'polygon %d does not lie in its node plane' % k)
        if kind == 'physics' and n.tag != 'LEAF' and (n.pos is None or n.neg is None):
            rep.note('bsp.tree', where, '%s node without both children in a physics tree' % n.tag)
        below = set(ids)
        for child in (n.pos, n.neg):
            below.update(visit(child))
        if n.sphere is not None:
            rep.look('bsp.sphere')
            s = n.sphere
            if not all(math.isfinite(v) for v in s) or s[3] < 0:
                rep.bad('bsp.sphere', where, '%s node: sphere %r' % (n.tag, s))
            else:
                far, who = 0.0, None
                for k in below:
                    if k in faces:
                        r = max(norm(sub(q, s[:3])) for q in faces[k][0])
                        if r > far:
                            far, who = r, k
                if far > s[3] + 0.01 + 1e-4 * s[3]:
                    rep.bad('bsp.sphere', where, '%s node: radius %.3f, polygon %d reaches %.3f' % (n.tag, s[3], who, far))
        return below

    rep.look('bsp.tree')
    named.update(visit(root))
    return named


def walk_spheres(n, c, r, out):
    """Polygons of the leaves a physics walk looks at (physics-bsp 5.3, 5.4)."""
    if n is None:
        return
    s = n.sphere
    if s is not None:
        d = sub(c, s[:3])
        if dot(d, d) - (s[3] + r) ** 2 >= EPS:
            return
    if n.tag == 'LEAF':
        out.update(n.polys)
        return
    t = dist(n.plane, c)
    reach = r - EPS
    if t > -reach:
        walk_spheres(n.pos, c, r, out)
    if t < reach:
        walk_spheres(n.neg, c, r, out)


def random_on(pts, rng):
    k = rng.randrange(1, len(pts) - 1)
    u, v = rng.random(), rng.random()
    if u + v > 1:
        u, v = 1 - u, 1 - v
    return add(pts[0], add(mul(sub(pts[k], pts[0]), u), mul(sub(pts[k + 1], pts[0]), v)))


def random_direction(rng):
    while True:
        d = (rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1))
        n = norm(d)
        if 0.1 < n < 1:
            return mul(d, 1 / n)


def check_queries(rep, where, root, faces, rng, samples):
    """Random spheres: the tree must offer every polygon that brute force finds."""
    keys = sorted(faces)
    if not keys:
        return
    bounds = {}
    for k in keys:
        pts = faces[k][0]
        m = mean(pts)
        bounds[k] = (m, max(norm(sub(q, m)) for q in pts))
    missed = set()
    for i in range(samples + len(keys)):
        k0 = keys[i] if i < len(keys) else rng.choice(keys)
        r = rng.choice((0.1, 0.3, 0.48, 0.48, 1.0, 2.0))
        c = add(random_on(faces[k0][0], rng), mul(random_direction(rng), rng.random() * r))
        got = set()
        walk_spheres(root, c, r, got)
        rep.look('bsp.query')
        for k in keys:
            m, br = bounds[k]
            if k in got or k in missed or norm(sub(c, m)) > br + r:
                continue
            if point_polygon(faces[k][0], faces[k][1], c) < r - 0.003:
                missed.add(k)
                rep.bad('bsp.query', where, 'physics tree does not offer polygon %d to a sphere at (%.3f %.3f %.3f) radius %.2f' % (
                    (k,) + c + (r,)))


def chain_of(root):
    """Planes along the positive children of a cell tree; a LEAF or a missing child ends it."""
    out, n, neg = [], root, False
    while n is not None and n.tag != 'LEAF':
        out.append(n.plane)
        neg = neg or n.neg is not None
        n = n.pos
    return out, neg


def in_chain(planes, p):
    return all(dist(pl, p) >= -EPS for pl in planes)


def first_hit(faces, p, d):
    """+1 the nearest polygon along the ray faces p, -1 it does not, 0 none, None too close to an edge."""
    best, side = 1e30, 0
    for pts, pl in faces:
        den = dot(pl[:3], d)
        if abs(den) < 1e-4:
            continue
        t = -dist(pl, p) / den
        if not 1e-4 < t < best + 1e-3:
            continue
        m = edge_margin(pts, pl[:3], add(p, mul(d, t)))
        if abs(m) < 0.003:
            return None
        if m > 0 and t < best:
            if best - t < 1e-3:
                return None
            best, side = t, 1 if den < 0 else -1
    return side


def check_containment(rep, where, o, faces, rng, samples):
    """The cell tree against the shape of the cell. Brute force knows three kinds of points: mixtures of the corners lie inside
    the (convex) cell, so do points that see only fronts of walls all round; points beyond the corner box or beyond a portal
    that bounds the cell lie outside."""
    planes, neg = chain_of(o.cell_bsp)
    if neg:
        rep.note('bsp.cell', where, 'cell tree has negative children, which are never visited')
    used = sorted({k for p in o.drawing.values() for k in p.verts if k in o.verts})
    if len(used) < 4:
        rep.note('bsp.cell', where, 'no volume')
        return
    if not rep.want(bool(planes), 'bsp.cell', where, 'cell tree has no plane: it contains everything'):
        return
    pts = [o.verts[k] for k in used]
    mid = mean(pts)
    lo = [min(p[i] for p in pts) for i in range(3)]
    hi = [max(p[i] for p in pts) for i in range(3)]
    worst = {}

    def miss(kind, p, amount):
        if amount > worst.get(kind, (0.0,))[0]:
            worst[kind] = (amount, p)

    for p in pts:
        rep.look('bsp.cell')
        s = min(dist(pl, p) for pl in planes)
        if s < -0.02:
            miss('corner', p, -s)
    gates, walls = [], dict(faces)
    for k in o.portals:
        if k in faces:
            pl = faces[k][1]
            ds = [dist(pl, p) for p in pts]
            if min(ds) > -0.02:
                gates.append(pl)
            elif max(ds) < 0.02:
                gates.append(tuple(-v for v in pl))
            if dist(pl, mid) < 0:
                walls[k] = (faces[k][0][::-1], tuple(-v for v in pl))
    walls = list(walls.values())
    for i in range(samples):
        w = [rng.expovariate(1.0) for _ in pts]
        t = sum(w)
        p = tuple(sum(a * q[k] for a, q in zip(w, pts)) / t for k in range(3))
        rep.look('bsp.cell')
        if not in_chain(planes, p):
            s = min(dist(pl, p) for pl in planes)
            if s < -0.02:
                miss('mixture', p, -s)
        p = tuple(rng.uniform(lo[k] - 1.0, hi[k] + 1.0) for k in range(3))
        rep.look('bsp.cell')
        inside = in_chain(planes, p)
        beyond = max(max(lo[k] - p[k], p[k] - hi[k]) for k in range(3))
        for g in gates:
            beyond = max(beyond, -dist(g, p))
        if inside and beyond > 0.05:
            miss('beyond', p, beyond)
        elif not inside and beyond < 0:
            s = -min(dist(pl, p) for pl in planes)
            if s > 0.02 and s > worst.get('free', (0.0,))[0] and all(
                    first_hit(walls, p, random_direction(rng)) == 1 for _ in range(8)):
                miss('free', p, s)
    text = {'corner': 'corner of the cell is outside its cell tree', 'mixture': 'point between the corners is outside the cell tree',
            'beyond': 'cell tree contains a point beyond the cell', 'free': 'free space of the cell is outside its cell tree'}
    for kind, (amount, p) in sorted(worst.items()):
        rep.bad('bsp.cell', where, '%s: (%.3f %.3f %.3f) by %.3f m' % ((text[kind],) + tuple(p) + (amount,)))


def check_shape(rep, where, o, rng, samples, surfaces, is_cell):
    for f in o.faults:
        rep.bad('geom.vertex' if f.startswith('vertex') else 'geom.polygon', where, f)
    rep.look('geom.vertex', len(o.verts))
    o.draw_faces, o.phys_faces = faces_of(o, o.drawing), faces_of(o, o.physics)
    check_polygons(rep, where, o, o.drawing, o.draw_faces, surfaces)
    check_polygons(rep, where + ' physics', o, o.physics, o.phys_faces, None)
    if o.drawing_bsp is not None:
        named = check_tree(rep, where + ' drawing tree', o.drawing_bsp, 'drawing', o.drawing, o.draw_faces)
        lost = sorted(set(o.draw_faces) - named)
        if lost:
            rep.note('bsp.polygon', where, 'drawing polygons in no node: %s' % lost[:8])
    if o.physics_bsp is not None:
        named = check_tree(rep, where + ' physics tree', o.physics_bsp, 'physics', o.physics, o.phys_faces)
        lost = sorted(set(o.phys_faces) - named)
        rep.want(not lost, 'bsp.polygon', where, 'physics polygons in no leaf: %s', lost[:8])
        check_queries(rep, where, o.physics_bsp, {k: v for k, v in o.phys_faces.items() if k in named}, rng, samples)
    if is_cell:
        check_tree(rep, where + ' cell tree', o.cell_bsp, 'cell', {}, {})
        for k in o.portals:
            rep.want(k in o.drawing, 'cell.portal', where, 'portal list names polygon %d, which does not exist', k)
        check_containment(rep, where, o, o.draw_faces, rng, samples)


# ---------------------------------------------------------------------------------------------------- world

class World:
    def __init__(self, portal, cell, rep, samples, seed):
        self.rep, self.samples, self.seed = rep, samples, seed
        self.portal, self.cell = portal, cell
        self.p, self.c = {}, {}
        self.counts = {}

    # -- loading
    def load(self, progress):
        for db, out, is_cell in ((self.portal, self.p, False), (self.cell, self.c, True)):
            total = len(db.entries)
            for i, fid in enumerate(sorted(db.entries)):
                if i % 5000 == 0:
                    progress('%s %d/%d' % (db.name, i, total))
                self._load(db, out, fid, is_cell)

    def _kind(self, fid, is_cell):
        if fid == 0xFFFF0001:
            return 'iteration', None
        if not is_cell:
            return PORTAL_TYPES.get(fid >> 24, ('other %02X' % (fid >> 24), None))
        low = fid & 0xFFFF
        if low == 0xFFFF:
            return 'LandBlock', r_landblock
        if low == 0xFFFE:
            return 'LandBlockInfo', r_info
        if low >= 0x100:
            return 'EnvCell', r_envcell
        return 'unknown cell id', None

    def _load(self, db, out, fid, is_cell):
        rep = self.rep
        name, fn = self._kind(fid, is_cell)
        n = self.counts.setdefault(name, [0, 0])
        n[0] += 1
        where = '%s %08X' % (name, fid)
        if name == 'unknown cell id':
            rep.bad('record.parse', where, 'no record has this id')
        rep.look('record.parse')
        try:
            data = db.read(fid)
            if fn is None:
                return
            o, rest = parse(fn, data)
        except Bad as e:
            rep.bad('record.parse', where, str(e))
            return
        n[1] += 1
        if rest:
            if len(rest) <= 3 and not any(rest):
                rep.note('record.trailing', where, '%d zero bytes after the end' % len(rest))
            else:
                rep.bad('record.trailing', where, '%d bytes after the end' % len(rest))
        rep.look('record.trailing')
        if hasattr(o, 'id'):
            rep.want(o.id == fid, 'record.id', where, 'carries id %08X', o.id)
        if name not in ('GfxObj', 'Environment'):
            for f in o.faults:
                rep.bad('record.parse', where, f)
        if name in ('Setup', 'Animation'):
            for what, f in o.frames:
                self.unit(where + ' ' + what, f)
        if name in KEEP:
            out[fid] = o

    # -- lookups
    def unit(self, where, frame):
        v = frame[0] + frame[1]
        q = math.sqrt(sum(x * x for x in frame[1])) if all(math.isfinite(x) for x in v) else float('nan')
        return self.rep.want(abs(q - 1) <= 1e-3, 'frame.unit', where, 'quaternion of length %.5f', q)

    def known(self, fid):
        """In the portal file, whether or not it could be parsed."""
        return fid in self.portal.entries

    def ref(self, where, what, fid, prefixes):
        if fid >> 24 not in prefixes:
            return self.rep.want(False, 'ref.missing', where, '%s %08X is of the wrong type', what, fid)
        return self.rep.want(self.known(fid), 'ref.missing', where, '%s %08X is not in the portal file', what, fid)

    def struct(self, cell):
        env = self.p.get(0x0D000000 | cell.environment)
        return env.cells.get(cell.structure) if env else None

    # -- checks
    def check(self, progress):
        for fid in sorted(self.p):
            kind = fid >> 24
            if kind in (0x01, 0x0D):
                progress('shapes %08X' % fid)
            if kind == 0x01:
                self.gfxobj(fid, self.p[fid])
            elif kind == 0x0D:
                o = self.p[fid]
                for f in o.faults:
                    self.rep.bad('record.parse', 'Environment %08X' % fid, f)
                for k, s in o.cells.items():
                    check_shape(self.rep, 'Environment %08X/%d' % (fid, k), s, random.Random('%d/%d/%d' % (self.seed, fid, k)),
                                self.samples, None, True)
            elif kind == 0x02:
                self.setup(fid, self.p[fid])
            elif kind == 0x08 and self.p[fid].texture:
                self.ref('Surface %08X' % fid, 'texture', self.p[fid].texture, (0x05,))
                if self.p[fid].palette:
                    self.ref('Surface %08X' % fid, 'palette', self.p[fid].palette, (0x04,))
            elif kind == 0x05:
                t = self.p[fid].levels
                self.rep.want(not t or any(self.known(x) for x in t), 'ref.missing', 'SurfaceTexture %08X' % fid,
                              'none of its %d textures is in the portal file', len(t))
            elif kind in (0x06, 0x07) and self.p[fid].palette:
                self.ref('RenderSurface %08X' % fid, 'palette', self.p[fid].palette, (0x04,))
        region = self.p.get(0x13000000)
        self.rep.want(self.known(0x13000000), 'ref.missing', 'Region 13000000', 'is not in the portal file')
        if region:
            for t in sorted(set(region.textures)):
                if t:
                    self.ref('Region 13000000', 'terrain texture', t, (0x05,))
        blocks = {}
        for fid in sorted(self.cell.entries):
            if fid != 0xFFFF0001:
                blocks.setdefault(fid >> 16, []).append(fid & 0xFFFF)
        self.blocks = blocks
        for b in sorted(blocks):
            progress('block %04X' % b)
            self.block(b, region)

    def gfxobj(self, fid, o):
        where = 'GfxObj %08X' % fid
        check_shape(self.rep, where, o, random.Random('%d/%d' % (self.seed, fid)), self.samples, len(o.surfaces), False)
        for s in o.surfaces:
            self.ref(where, 'surface', s, (0x08,))
        if o.degrade:
            self.ref(where, 'distance ladder', o.degrade, (0x11,))

    def setup(self, fid, o):
        where = 'Setup %08X' % fid
        for g in o.parts:
            self.ref(where, 'part', g, (0x01,))
        for what, d, pre in zip(('animation', 'script', 'motion table', 'sound table', 'script table'), o.defaults,
                                (0x03, 0x33, 0x09, 0x20, 0x34)):
            if d:
                self.ref(where, 'default ' + what, d, (pre,))
        for i, p in enumerate(o.parents):
            if p < len(o.parts) and p >= i and p != i:
                self.rep.note('setup', where, 'part %d is attached to the later part %d' % (i, p))
        if o.flags & 8 and not any(getattr(self.p.get(g), 'physics_bsp', None) for g in o.parts):
            self.rep.note('setup', where, 'flagged "has physics BSP" but no part has one')

    def block(self, b, region):
        rep, base = self.rep, b << 16
        lows = self.blocks[b]
        land, info = self.c.get(base | 0xFFFF), self.c.get(base | 0xFFFE)
        if land is None and 0xFFFF not in lows:
            rep.note('land.info', 'block %04X' % b, 'has no LandBlock record')
        if land is not None:
            where = 'LandBlock %08X' % (base | 0xFFFF)
            rep.want(bool(land.info) == (0xFFFE in lows), 'land.info', where, 'says "info %s", LandBlockInfo %s',
                     'yes' if land.info else 'no', 'exists' if 0xFFFE in lows else 'is missing')
            if region:
                top = max((t >> 2 & 31) for t in land.terrain)
                rep.want(top < len(region.terrain), 'land.terrain', where, 'terrain type %d of %d', top, len(region.terrain))
            for dx, dy, mine, theirs in ((1, 0, 72, 0), (0, 1, 8, 0)):
                x, y = (b >> 8) + dx, (b & 255) + dy
                nb = self.c.get((x << 24 | y << 16) | 0xFFFF) if x < 255 and y < 255 else None
                if nb is not None:
                    step = 1 if dx else 9
                    diff = [i for i in range(9) if land.height[mine + i * step] != nb.height[theirs + i * step]]
                    rep.want(not diff, 'land.edge', where, 'height of edge sample %s differs from block %02X%02X',
                             diff[0] if diff else 0, x, y)
        cells = sorted(v for v in lows if 0x100 <= v < 0xFFFE)
        if cells and 0xFFFE not in lows:
            rep.bad('land.info', 'block %04X' % b, '%d interior cells but no LandBlockInfo' % len(cells))
        if info is not None:
            self.info(base, info, cells)
        for v in cells:
            if base | v in self.c:
                self.envcell(base, v, self.c[base | v])

    def info(self, base, o, cells):
        rep, where = self.rep, 'LandBlockInfo %08X' % (base | 0xFFFE)
        want = list(range(0x100, 0x100 + min(o.cells, 0xFEFE)))
        rep.look('land.info')
        missing, extra = sorted(set(want) - set(cells)), sorted(set(cells) - set(want))
        if missing:
            rep.bad('land.info', where, 'counts %d cells; %d are missing, first %04X' % (o.cells, len(missing), missing[0]))
        if extra:
            rep.bad('land.info', where, 'counts %d cells; %d more exist, first %04X' % (o.cells, len(extra), extra[0]))
        for i, (model, frame) in enumerate(o.objects):
            self.ref('%s object %d' % (where, i), 'model', model, (0x01, 0x02))
            self.unit('%s object %d' % (where, i), frame)
        owners = {}
        for i, bl in enumerate(o.buildings):
            who = '%s building %d' % (where, i)
            self.unit(who, bl.frame)
            if not all(math.isfinite(v) for v in bl.frame[0] + bl.frame[1]):
                continue
            spot = (math.floor(bl.frame[0][0] / 24), math.floor(bl.frame[0][1] / 24))
            if spot in owners:
                rep.note('building.portal', who, 'stands in the land cell of building %d and is never drawn' % owners[spot])
            owners.setdefault(spot, i)
            self.building(base, who, bl)

    def building(self, base, who, bl):
        rep = self.rep
        if not self.ref(who, 'model', bl.model, (0x01, 0x02)):
            return
        shell = self.p.get(bl.model)
        if bl.model >> 24 == 0x02 and shell is not None:
            shell = self.p.get(shell.parts[0]) if shell.parts else None
        openings = {}
        if shell is not None and shell.drawing_bsp is not None:
            pairs, leaves = [], 0
            for n in nodes(shell.drawing_bsp):
                leaves += n.tag == 'LEAF'
                pairs += n.portals
            swapped = pairs and {i for _, i in pairs} != set(range(len(bl.portals))) and \
                {a for a, _ in pairs} == set(range(len(bl.portals))) and all(i in shell.drawing for _, i in pairs)
            rep.want(not swapped, 'building.port', who, 'PORT pairs are stored as (portal, polygon); expected (polygon, portal)')
            for poly, i in pairs:
                if swapped:
                    poly, i = i, poly
                if not rep.want(i < len(bl.portals), 'building.port', who, 'PORT node names portal %d of %d', i, len(bl.portals)):
                    continue
                if i in openings and openings[i] != poly:
                    rep.note('building.port', who, 'portal %d has two polygons (%d and %d)' % (i, openings[i], poly))
                openings.setdefault(i, poly)
            if pairs:
                lost = sorted(set(range(len(bl.portals))) - set(openings))
                rep.want(not lost, 'building.port', who, 'portals %s appear in no PORT node', lost)
                if leaves != bl.leaves:
                    rep.note('building.port', who, '%d leaves in the record, %d in the drawing tree' % (bl.leaves, leaves))
            elif bl.portals:
                rep.want(False, 'building.port', who, 'has %d portals but its model has no PORT node', len(bl.portals))
        for i, p in enumerate(bl.portals):
            self.building_portal(base, '%s portal %d' % (who, i), bl, i, p, shell, openings.get(i))

    def building_portal(self, base, who, bl, i, p, shell, poly):
        rep = self.rep
        for v in p.stabs:
            rep.want(base | v in self.cell.entries and v >= 0x100, 'building.stabs', who, 'visible cell %04X does not exist', v)
        if not rep.want(p.cell >= 0x100 and p.cell < 0xFFFE and base | p.cell in self.cell.entries, 'building.portal', who,
                        'leads to cell %04X, which does not exist', p.cell):
            return
        rep.want(p.cell in p.stabs, 'building.stabs', who, 'its own cell %04X is not in its visible list: never drawn', p.cell)
        cell = self.c.get(base | p.cell)
        if cell is None:
            return
        if not rep.want(0 <= p.portal < len(cell.portals), 'building.portal', who, 'portal %d of cell %04X, which has %d', p.portal,
                        p.cell, len(cell.portals)):
            return
        back = cell.portals[p.portal]
        rep.want(back.cell == 0xFFFF or back.flags & 4, 'building.portal', who, 'portal %d of cell %04X is not an exit', p.portal,
                 p.cell)
        st = self.struct(cell)
        if st is None:
            return
        inner = st.draw_faces.get(back.polygon)
        outer = shell.draw_faces.get(poly) if shell is not None and poly is not None else None
        if poly is not None and outer is None:
            rep.want(False, 'building.port', who, 'shell polygon %d is missing or unusable', poly)
        if outer is None:
            return
        world = [to_world(bl.frame, q) for q in outer[0]]
        if inner is not None:
            gap = apart(world, [to_world(cell.frame, q) for q in inner[0]])
            rep.want(gap <= COINCIDE, 'portal.coincide', who, 'shell polygon and the polygon of cell %04X are %.3f m apart', p.cell,
                     min(gap, 1e6))
        pl = plane_of(world)
        s = dist(pl, to_world(cell.frame, self.middle(st))) if pl else 0.0
        if abs(s) < NEAR_PLANE:
            rep.note('portal.side', who, 'the cell behind it is neither in front nor behind')
        else:
            rep.want((s < 0) == bool(p.flags & 2), 'portal.side', who, 'flag bit 2 is %s but cell %04X lies on the %s side of the polygon',
                     'set' if p.flags & 2 else 'clear', p.cell, 'positive' if s > 0 else 'negative')

    def middle(self, st):
        if not hasattr(st, 'mid'):
            used = {k for p in st.drawing.values() for k in p.verts if k in st.verts}
            st.mid = mean([st.verts[k] for k in used]) if used else (0.0, 0.0, 0.0)
        return st.mid

    def envcell(self, base, low, o):
        rep, where = self.rep, 'EnvCell %08X' % (base | low)
        rep.want(o.id2 == o.id, 'record.id', where, 'second id %08X', o.id2)
        self.unit(where, o.frame)
        for i, (model, frame) in enumerate(o.statics):
            self.ref('%s object %d' % (where, i), 'model', model, (0x01, 0x02))
            self.unit('%s object %d' % (where, i), frame)
        for s in o.surfaces:
            self.ref(where, 'surface', 0x08000000 | s, (0x08,))
        seen = set()
        for v in o.visible:
            rep.want(v >= 0x100 and base | v in self.cell.entries, 'cell.visible', where, 'visible cell %04X does not exist', v)
            if v in seen or v == low:
                rep.note('cell.visible', where, 'visible list names %04X %s' % (v, 'itself' if v == low else 'twice'))
            seen.add(v)
        if any(p.flags & 4 for p in o.portals) and not o.flags & 1:
            rep.note('cell.visible', where, 'has an exit but is not marked "seen outside"')
        env = 0x0D000000 | o.environment
        if not self.ref(where, 'environment', env, (0x0D,)) or env not in self.p:
            return
        st = self.struct(o)
        if not rep.want(st is not None, 'ref.missing', where, 'structure %d is not in environment %08X', o.structure, env):
            return
        top = max([max(p.pos, p.neg if p.sides == 2 else -1) for p in st.drawing.values() if not p.stipple & 4] or [-1])
        rep.want(top < len(o.surfaces), 'cell.surface', where, 'its structure uses surface %d, it has %d', top, len(o.surfaces))
        if not o.portals:
            rep.note('cell.portal', where, 'has no portals: it never contains anything')
        for i, p in enumerate(o.portals):
            self.cell_portal(base, low, o, st, i, p, '%s portal %d' % (where, i), seen)

    def cell_portal(self, base, low, o, st, i, p, who, visible):
        rep = self.rep
        if not rep.want(p.polygon in st.drawing, 'cell.portal', who, 'polygon %d does not exist', p.polygon):
            return
        if p.polygon not in st.portals:
            rep.note('cell.portal', who, 'polygon %d is not in the portal list of the structure' % p.polygon)
        face = st.draw_faces.get(p.polygon)
        if not rep.want(face is not None, 'cell.portal', who, 'polygon %d cannot be used', p.polygon):
            return
        pts, pl = face
        s = dist(pl, self.middle(st))
        if abs(s) < NEAR_PLANE:
            rep.note('portal.side', who, 'the cell is neither in front of nor behind its portal')
        else:
            rep.want((s > 0) == bool(p.flags & 2), 'portal.side', who, 'flag bit 2 is %s but the cell lies on the %s side of the polygon',
                     'set' if p.flags & 2 else 'clear', 'positive' if s > 0 else 'negative')
        if p.cell == 0xFFFF or p.flags & 4:
            rep.want(p.cell == 0xFFFF and p.flags & 4, 'portal.exit', who, 'exit with cell %04X and flag bit 4 %s; write both', p.cell,
                     'set' if p.flags & 4 else 'clear')
            return
        if not rep.want(p.cell != low, 'portal.target', who, 'leads to its own cell'):
            return
        if not rep.want(p.cell >= 0x100 and p.cell < 0xFFFE and base | p.cell in self.cell.entries, 'portal.target', who,
                        'leads to cell %04X, which does not exist', p.cell):
            return
        rep.want(p.cell in visible, 'cell.visible', who, 'neighbour %04X is not in the visible list: never drawn from here', p.cell)
        other = self.c.get(base | p.cell)
        if other is None:
            return
        back = other.portals[p.portal] if 0 <= p.portal < len(other.portals) else None
        if not rep.want(back is not None and back.cell == low and back.portal == i, 'portal.reciprocal', who,
                        'portal %d of cell %04X %s', p.portal, p.cell, 'does not exist' if back is None else
                        'leads to %04X portal %d' % (back.cell, back.portal)):
            return
        rep.want((p.flags ^ back.flags) & 1 == 0, 'portal.reciprocal', who, '"exact" flag differs from that of cell %04X', p.cell)
        st2 = self.struct(other)
        face2 = st2.draw_faces.get(back.polygon) if st2 else None
        if face2 is None:
            return
        world = [to_world(o.frame, q) for q in pts]
        gap = apart(world, [to_world(other.frame, q) for q in face2[0]])
        if p.flags & 1:
            rep.want(gap <= COINCIDE, 'portal.coincide', who, 'polygons of %04X and %04X are %.3f m apart', low, p.cell, min(gap, 1e6))
            wpl = plane_of(world)
            s2 = dist(wpl, to_world(other.frame, self.middle(st2))) if wpl else 0.0
            if abs(s2) > NEAR_PLANE and abs(s) > NEAR_PLANE:
                rep.want((s2 > 0) != (s > 0), 'portal.side', who, 'both cells lie on the same side of the opening')
        elif gap > COINCIDE:
            rep.note('portal.coincide', who, 'inexact: polygons %.3f m apart' % min(gap, 1e6))


# ---------------------------------------------------------------------------------------------------- output

def run(folder, samples, seed, progress):
    rep = Report()
    portal = Dat(os.path.join(folder, 'client_portal.dat'), 1, rep)
    cell = Dat(os.path.join(folder, 'client_cell_1.dat'), 2, rep)
    world = World(portal, cell, rep, samples, seed)
    world.load(progress)
    world.check(progress)
    return rep, world, (portal, cell)


def as_json(folder, rep, world, files, verbose):
    out = {
        'dir': folder, 'clean': not rep.findings,
        'files': [{'name': d.name, 'bytes': d.size, 'block': d.block, 'entries': len(d.entries), 'nodes': d.nodes, 'depth': d.depth,
                   'free': len(d.free_blocks), 'iteration': d.iteration} for d in files],
        'records': {k: {'count': v[0], 'parsed': v[1]} for k, v in sorted(world.counts.items())},
        'checks': {k: {'examined': v, 'findings': rep.found.get(k, 0)} for k, v in sorted(rep.examined.items())},
        'findings': [{'check': a, 'where': b, 'text': c} for a, b, c in rep.findings], 'note_count': len(rep.notes)}
    if verbose:
        out['notes'] = [{'check': a, 'where': b, 'text': c} for a, b, c in rep.notes]
    return out


def table(rows, right):
    width = [max(len(str(r[i])) for r in rows) for i in range(len(rows[0]))]
    for r in rows:
        print('  ' + '  '.join((str(v).rjust(w) if i in right else str(v).ljust(w)) for i, (v, w) in enumerate(zip(r, width))).rstrip())


def as_text(rep, world, files, verbose):
    rows = [('file', 'bytes', 'block', 'entries', 'nodes', 'depth', 'fill', 'free', 'iteration')]
    for d in files:
        fill = '%d..%d' % (min(d.fill), max(d.fill)) if d.fill else '-'
        rows.append((d.name, d.size, d.block, len(d.entries), d.nodes, d.depth, fill, len(d.free_blocks), d.iteration))
    table(rows, range(1, 9))
    print()
    table([('record', 'count', 'parsed')] + [(k, v[0], v[1] if v[1] or v[0] == 0 else '-') for k, v in sorted(world.counts.items())],
          (1, 2))
    print()
    table([('check', 'examined', 'findings')] + [(k, v, rep.found.get(k, 0)) for k, v in sorted(rep.examined.items())], (1, 2))
    print()
    if verbose:
        for a, b, c in rep.notes:
            print('  note [%s] %s: %s' % (a, b, c))
    shown = rep.findings if verbose else rep.findings[:SHOWN]
    for a, b, c in shown:
        print('  [%s] %s: %s' % (a, b, c))
    if len(shown) < len(rep.findings):
        print('  ... and %d more (-v shows all)' % (len(rep.findings) - len(shown)))
    print('%s; %d notes%s' % ('clean' if not rep.findings else '%d findings' % len(rep.findings), len(rep.notes),
                              '' if verbose or not rep.notes else ' (-v)'))


def main(argv=None):
    ap = argparse.ArgumentParser(prog='datcheck.py', description='Checks client_portal.dat and client_cell_1.dat of a world.',
                                 epilog='exit: 0 clean, 1 findings, 2 a file cannot be opened')
    ap.add_argument('dir', metavar='DIR')
    ap.add_argument('--json', action='store_true', help='machine-readable result on stdout')
    ap.add_argument('-v', '--verbose', action='store_true', help='all findings, and the notes')
    ap.add_argument('--samples', type=int, default=200, metavar='N', help='random points and spheres per tree (default 200)')
    ap.add_argument('--seed', type=int, default=7, help='of the random samples (default 7)')
    a = ap.parse_args(argv)
    sys.setrecursionlimit(20000)
    tty = sys.stderr.isatty()

    def progress(text):
        if tty:
            sys.stderr.write('\r%-60s\r' % text[:60])
            sys.stderr.flush()

    try:
        rep, world, files = run(a.dir, max(0, a.samples), a.seed, progress)
    except CannotOpen as e:
        sys.stderr.write('datcheck: %s\n' % e)
        if a.json:
            print(json.dumps({'dir': a.dir, 'error': str(e)}))
        return 2
    progress('')
    try:
        if a.json:
            print(json.dumps(as_json(a.dir, rep, world, files, a.verbose), indent=1))
        else:
            as_text(rep, world, files, a.verbose)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if rep.findings else 0


if __name__ == '__main__':
    sys.exit(main())
