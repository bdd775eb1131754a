// Shapes of bodies as triangles: boxes, cylinders, capsules, ellipsoids and meshes, in the axes of the body.

import { Box3, BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, Matrix4, Quaternion, SphereGeometry, Vector3 } from "three";
import { bytes, shorts } from "../data/numbers";
import type { MeshData, ShapeData } from "../data/types";

/** Faces that meet at less than this angle look smooth. */
const CREASE = Math.cos((32 * Math.PI) / 180);
const STEPS = 65535;

/** From the axes of a shape to those of its body. */
export function shapeMatrix(shape: ShapeData): Matrix4 {
  return new Matrix4().compose(new Vector3().fromArray(shape.position), new Quaternion().fromArray(shape.attitude).normalize(), new Vector3(1, 1, 1));
}

/** The box around a shape in its own axes. */
export function shapeBox({ form }: ShapeData, meshes: MeshData[]): Box3 {
  if (form.kind === "mesh") {
    const { corner, step } = meshes[form.mesh];
    const low = new Vector3().fromArray(corner);
    return new Box3(low, low.clone().addScaledVector(new Vector3().fromArray(step), STEPS));
  }
  const half = new Vector3();
  if (form.kind === "box") half.fromArray(form.sides).multiplyScalar(0.5);
  else if (form.kind === "ellipsoid") half.fromArray(form.radii);
  else half.set(form.radius, form.radius, form.length / 2 + (form.kind === "capsule" ? form.radius : 0));
  return new Box3(half.clone().negate(), half);
}

/** The triangles of a shape in the axes of its body, divided along straight sides `pieces` times where it is to bend. */
export function shapeGeometry(shape: ShapeData, meshes: MeshData[], pieces = 1): BufferGeometry {
  const { form } = shape;
  let geometry: BufferGeometry;
  if (form.kind === "box") geometry = new BoxGeometry(...form.sides, pieces, pieces, pieces);
  else if (form.kind === "cylinder") geometry = new CylinderGeometry(form.radius, form.radius, form.length, 40, pieces).rotateX(Math.PI / 2);
  else if (form.kind === "capsule") geometry = new CapsuleGeometry(form.radius, form.length, 10, 40, pieces).rotateX(Math.PI / 2);
  else if (form.kind === "ellipsoid") geometry = new SphereGeometry(1, 40, 24).scale(...form.radii);
  else geometry = meshGeometry(meshes[form.mesh]);
  return geometry.applyMatrix4(shapeMatrix(shape));
}

/** Triangles with a normal at each corner: the mean of those of the faces around it that meet at a small angle. */
function meshGeometry(data: MeshData): BufferGeometry {
  const [places, corners, painted] = [shorts(data.vertices), shorts(data.triangles), bytes(data.colours)];
  const faces = corners.length / 3;
  const [positions, normals] = [new Float32Array(3 * corners.length), new Float32Array(3 * corners.length)];
  for (let i = 0; i < corners.length; i++) for (let c = 0; c < 3; c++) positions[3 * i + c] = data.corner[c] + data.step[c] * places[3 * corners[i] + c];
  // Normals of faces, as long as twice their area; and the faces around each vertex.
  const own = new Float32Array(3 * faces);
  const [a, b, p] = [new Vector3(), new Vector3(), new Vector3()];
  const starts = new Uint32Array(places.length / 3 + 1);
  for (let f = 0; f < faces; f++) {
    p.fromArray(positions, 9 * f);
    a.fromArray(positions, 9 * f + 3).sub(p);
    b.fromArray(positions, 9 * f + 6).sub(p);
    a.cross(b).toArray(own, 3 * f);
    for (let c = 0; c < 3; c++) starts[corners[3 * f + c] + 1]++;
  }
  for (let v = 1; v < starts.length; v++) starts[v] += starts[v - 1];
  const around = new Uint32Array(corners.length);
  const filled = starts.slice();
  for (let i = 0; i < corners.length; i++) around[filled[corners[i]]++] = Math.floor(i / 3);
  for (let i = 0; i < corners.length; i++) {
    a.fromArray(own, 3 * Math.floor(i / 3));
    const size = a.length();
    p.set(0, 0, 0);
    for (let k = starts[corners[i]]; k < starts[corners[i] + 1]; k++) {
      b.fromArray(own, 3 * around[k]);
      if (a.dot(b) >= CREASE * size * b.length()) p.add(b);
    }
    p.normalize().toArray(normals, 3 * i);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  if (painted.length > 0) {
    const colours = new Uint8Array(4 * corners.length);
    for (let i = 0; i < corners.length; i++) colours.set(painted.subarray(4 * corners[i], 4 * corners[i] + 4), 4 * i);
    geometry.setAttribute("paint", new BufferAttribute(colours, 4, true));
  }
  return geometry;
}
