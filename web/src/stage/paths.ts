// Paths of the outermost nodes over the motion.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Vector3 } from "three";
import { deformed, Placement, pose } from "../data/kinematics";
import type { Recording } from "../data/recording";
import { PARTS } from "./colour";

const MOST_PATHS = 5;
const MOST_POINTS = 600;

export class Paths {
  readonly group = new Group();
  private readonly ends: { body: number; node: number }[];

  constructor(private readonly recording: Recording) {
    const carries = new Set(recording.bodies.map((body) => body.data.parent));
    const leaves = recording.bodies.map((_, k) => k).filter((k) => !carries.has(k));
    this.ends = leaves.slice(0, MOST_PATHS).map((k) => ({ body: k, node: recording.bodies[k].tip() }));
    this.ends.forEach((_, i) => {
      const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: PARTS.path[i % PARTS.path.length] }));
      line.frustumCulled = false;
      this.group.add(line);
    });
  }

  /** Draws the paths anew for a scale of the deformation. */
  update(scale: number): void {
    const { recording } = this;
    const points = Math.min(recording.count, MOST_POINTS);
    const placement = new Placement(recording);
    const frame = new Float32Array(recording.length);
    const [node, at] = [pose(), new Vector3()];
    const arrays = this.ends.map(() => new Float32Array(3 * points));
    for (let i = 0; i < points; i++) {
      const f = points > 1 ? i / (points - 1) : 0;
      recording.sample(recording.start + f * (recording.end - recording.start), frame);
      placement.place(frame, scale);
      this.ends.forEach((end, e) => {
        const { position, attitude } = placement.poses[end.body];
        deformed(recording.bodies[end.body], end.node, placement.amplitudes[end.body], node);
        at.copy(node.position).applyQuaternion(attitude).add(position).toArray(arrays[e], 3 * i);
      });
    }
    this.group.children.forEach((line, e) => {
      const geometry = (line as Line).geometry as BufferGeometry;
      geometry.setAttribute("position", new BufferAttribute(arrays[e], 3));
      geometry.setDrawRange(0, points);
    });
  }
}
