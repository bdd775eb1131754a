// What a rigid body looks like: the solid of its mass properties, and rods from its hinge to its other nodes and to frames of closures.

import {
  BoxGeometry,
  BufferGeometry,
  CylinderGeometry,
  Group,
  type Material,
  Matrix4,
  Mesh,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import type { Body } from "../data/recording";
import type { FrameData, Solid } from "../data/types";

/** A mesh for a solid; parts thinner than `least` are drawn that thick. */
export function solidMesh(solid: Solid, least: number, material: Material): Mesh {
  const { form, axes: a } = solid;
  const at = (x: number) => Math.max(x, least);
  let geometry: BufferGeometry;
  if (form.kind === "cylinder") {
    geometry = new CylinderGeometry(at(form.radius), at(form.radius), at(form.length), 28);
    // Cylinders of three.js lie along y, ours along the third axis.
    geometry.rotateX(Math.PI / 2);
  } else if (form.kind === "box") {
    geometry = new BoxGeometry(at(form.sides[0]), at(form.sides[1]), at(form.sides[2]));
  } else {
    geometry = new SphereGeometry(at(form.radius), 24, 16);
  }
  const mesh = new Mesh(geometry, material);
  const matrix = new Matrix4().set(
    a[0][0], a[0][1], a[0][2], 0,
    a[1][0], a[1][1], a[1][2], 0,
    a[2][0], a[2][1], a[2][2], 0,
    0, 0, 0, 1,
  ); // prettier-ignore
  mesh.quaternion.setFromRotationMatrix(matrix);
  mesh.position.fromArray(solid.centre);
  return mesh;
}

/** A straight rod between two points. */
export function rod(from: Vector3, to: Vector3, radius: number, material: Material, sides = 10): Mesh | null {
  const along = to.clone().sub(from);
  const length = along.length();
  if (!(length > 0)) return null;
  const mesh = new Mesh(new CylinderGeometry(radius, radius, length, sides), material);
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), along.divideScalar(length)));
  mesh.position.copy(from).add(to).multiplyScalar(0.5);
  return mesh;
}

export function rigidBody(body: Body, frames: FrameData[], thin: number, material: Material): Group {
  const group = new Group();
  const { solid, mass, inboard } = body.data;
  const at = (n: number) => new Vector3().fromArray(body.positions, 3 * n);
  if (solid !== null) group.add(solidMesh(solid, 0.6 * thin, material));
  const hinge = body.nodes > 0 ? at(inboard) : new Vector3();
  if (solid === null && mass.mass > 0) {
    const ball = new Mesh(new SphereGeometry(2 * thin, 20, 14), material);
    ball.position.fromArray(mass.mass_centre);
    group.add(ball);
  }
  const ends = Array.from({ length: body.nodes }, (_, n) => at(n)).concat(mass.mass > 0 ? [new Vector3().fromArray(mass.mass_centre)] : []);
  const held = frames.map((frame) => at(frame.node).add(new Vector3().fromArray(frame.position)));
  for (const end of ends.concat(held)) {
    const part = rod(hinge, end, 0.45 * thin, material);
    if (part !== null) group.add(part);
  }
  return group;
}
