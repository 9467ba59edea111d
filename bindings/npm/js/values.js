export function position(cell, x, y, z, w, i, j, k) {
  return { cell, origin: [x, y, z], rotation: [w, i, j, k] };
}
