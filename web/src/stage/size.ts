// How large a motion is: where the camera must look, how far bodies bend.

import { Box3, type Matrix4, Vector3 } from "three";
import { deformed, Placement, pose } from "../data/kinematics";
import type { Recording } from "../data/recording";
import { shapeBox, shapeMatrix } from "./shape-geometry";

/** A box around all bodies over the whole motion, deformed by a scale, and the points in it. */
export function bounds(recording: Recording, scale = 1): { box: Box3; points: Vector3[] } {
  const box = new Box3();
  const points: Vector3[] = [];
  const placement = new Placement(recording);
  const frame = new Float32Array(recording.length);
  const looks = Math.max(1, Math.min(recording.count, 40));
  const [point, node] = [new Vector3(), pose()];
  const { meshes } = recording.scene;
  const shapeCorners = recording.bodies.map((body) => (body.data.shapes ?? []).map((shape) => corners(shapeBox(shape, meshes ?? []), shapeMatrix(shape))));
  for (let i = 0; i < looks; i++) {
    const f = looks > 1 ? i / (looks - 1) : 0;
    recording.sample(recording.start + f * (recording.end - recording.start), frame);
    placement.place(frame, scale);
    recording.bodies.forEach((body, k) => {
      const { position, attitude } = placement.poses[k];
      const add = (x: number, y: number, z: number) => {
        box.expandByPoint(point.set(x, y, z).applyQuaternion(attitude).add(position));
        points.push(point.clone());
      };
      const step = Math.max(1, Math.floor(body.nodes / 48));
      for (let n = 0; n < body.nodes; n += step) {
        deformed(body, n, placement.amplitudes[k], node);
        add(node.position.x, node.position.y, node.position.z);
      }
      const solid = body.data.solid;
      if (body.hasShapes) {
        shapeCorners[k].flat().forEach((corner) => add(corner.x, corner.y, corner.z));
      } else if (solid !== null) {
        const { form, centre, axes } = solid;
        const half =
          form.kind === "box" ? form.sides.map((x) => x / 2) : form.kind === "ball" ? [form.radius, form.radius, form.radius] : [form.radius, form.radius, form.length / 2];
        for (let c = 0; c < 8; c++) {
          const s = [c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1];
          const at = [0, 1, 2].map((r) => centre[r] + s[0] * half[0] * axes[r][0] + s[1] * half[1] * axes[r][1] + s[2] * half[2] * axes[r][2]);
          add(at[0], at[1], at[2]);
        }
      } else {
        add(body.data.mass.mass_centre[0], body.data.mass.mass_centre[1], body.data.mass.mass_centre[2]);
      }
    });
  }
  if (box.isEmpty() || !Number.isFinite(box.min.x + box.max.x + box.min.y + box.max.y + box.min.z + box.max.z)) {
    box.set(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
    points.length = 0;
  }
  // A point still needs room around it, also in the picture.
  if (box.getSize(point).length() < 1e-9) {
    box.expandByScalar(0.5);
    points.length = 0;
  }
  return { box, points: points.length > 0 ? points : [box.min, box.max] };
}

function corners(box: Box3, place: Matrix4): Vector3[] {
  const of = (c: number) => new Vector3(c & 1 ? box.max.x : box.min.x, c & 2 ? box.max.y : box.min.y, c & 4 ? box.max.z : box.min.z);
  return Array.from({ length: 8 }, (_, c) => of(c).applyMatrix4(place));
}

/** Round factors to draw the deformation by. */
const SCALES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
/** How far the deformation may move any body by such a factor, in sizes of the system. */
const SEEN = 0.22;

/** The largest round factor at which no body is drawn farther than a part of the system's size from where it would be undeformed. */
export function fittingScale(recording: Recording, size: number): number {
  const [bent, straight] = [new Placement(recording), new Placement(recording)];
  const frame = new Float32Array(recording.length);
  const [one, other] = [pose(), pose()];
  const looks = Math.min(recording.count, 60);
  let best = 1;
  for (const scale of SCALES) {
    let most = 0;
    for (let i = 0; i < looks; i++) {
      recording.sample(recording.start + (looks > 1 ? i / (looks - 1) : 0) * (recording.end - recording.start), frame);
      bent.place(frame, scale);
      straight.place(frame, 0);
      recording.bodies.forEach((body, k) => {
        const tip = body.tip();
        deformed(body, tip, bent.amplitudes[k], one);
        deformed(body, tip, straight.amplitudes[k], other);
        one.position.applyQuaternion(bent.poses[k].attitude).add(bent.poses[k].position);
        other.position.applyQuaternion(straight.poses[k].attitude).add(straight.poses[k].position);
        most = Math.max(most, one.position.distanceTo(other.position));
      });
    }
    if (!(most > 0)) return 1;
    if (most > SEEN * size) break;
    best = scale;
  }
  return best;
}
