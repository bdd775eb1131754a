// Closures: a ball on each frame, a rod to it from the node of a flexible body, and a line between frames that are apart, dashed where the closure is open.

import { BufferGeometry, CylinderGeometry, Group, Line, LineBasicMaterial, LineDashedMaterial, Mesh, MeshLambertMaterial, SphereGeometry, Vector3 } from "three";
import { deformed, type Placement, pose } from "../data/kinematics";
import type { Recording } from "../data/recording";
import type { ClosureData, FrameData } from "../data/types";
import { PARTS } from "./colour";

/** Origins of frames that are farther apart than this share of the size of the system are seen to be. */
const APART = 2e-3;
const UP = new Vector3(0, 1, 0);

export class ClosureMark {
  readonly group = new Group();
  private readonly frames: [FrameData, FrameData];
  private readonly ends = [new Vector3(), new Vector3()];
  private readonly stems = [new Vector3(), new Vector3()];
  private readonly balls: Mesh[];
  private readonly rods: Mesh[];
  private readonly line: Line;
  private readonly whole = new LineBasicMaterial({ color: PARTS.closure });
  private readonly dashed: LineDashedMaterial;
  private readonly node = pose();

  /** Null for a coupling of hinges, which is nowhere. */
  static of(closure: ClosureData, recording: Recording, size: number): ClosureMark | null {
    return closure.frames === null ? null : new ClosureMark(closure, closure.frames, recording, size);
  }

  private constructor(
    private readonly closure: ClosureData,
    frames: [FrameData, FrameData],
    private readonly recording: Recording,
    private readonly size: number,
  ) {
    this.frames = frames;
    const thin = size / 120;
    const material = new MeshLambertMaterial({ color: PARTS.closure });
    this.balls = frames.map(() => new Mesh(new SphereGeometry(0.9 * thin, 16, 12), material));
    this.rods = frames.map(() => new Mesh(new CylinderGeometry(0.3 * thin, 0.3 * thin, 1, 10), material));
    this.dashed = new LineDashedMaterial({ color: PARTS.closure, dashSize: 1.5 * thin, gapSize: thin });
    this.line = new Line(new BufferGeometry().setFromPoints(this.ends), this.whole);
    this.line.frustumCulled = false;
    this.group.add(...this.balls, ...this.rods, this.line);
  }

  /** Puts the marks where bodies are drawn; `real` places them without exaggeration. */
  update(drawn: Placement, real: Placement): void {
    this.place(real);
    const open = this.closure.meets && this.apart();
    this.place(drawn);
    this.ends.forEach((end, i) => {
      this.balls[i].position.copy(end);
      const along = end.clone().sub(this.stems[i]);
      const length = along.length();
      this.rods[i].visible = length > 0;
      if (length > 0) {
        this.rods[i].position.copy(end).add(this.stems[i]).multiplyScalar(0.5);
        this.rods[i].quaternion.setFromUnitVectors(UP, along.divideScalar(length));
        this.rods[i].scale.y = length;
      }
    });
    this.line.visible = this.apart();
    this.line.material = open ? this.dashed : this.whole;
    this.line.geometry.setFromPoints(this.ends);
    if (open) this.line.computeLineDistances();
  }

  private apart(): boolean {
    return this.ends[0].distanceTo(this.ends[1]) > APART * this.size;
  }

  private place(placement: Placement): void {
    const carried = this.recording.scene.carried_by_deformation;
    this.frames.forEach((frame, i) => {
      const end = this.ends[i].fromArray(frame.position);
      if (frame.body === null) {
        this.stems[i].copy(end);
        return;
      }
      const { position, attitude } = placement.poses[frame.body];
      const body = this.recording.bodies[frame.body];
      deformed(body, frame.node, carried ? placement.amplitudes[frame.body] : null, this.node);
      end.applyQuaternion(this.node.attitude).add(this.node.position);
      // Rigid bodies have rods to their frames.
      this.stems[i].copy(body.modes > 0 ? this.node.position : end);
      for (const point of [end, this.stems[i]]) point.applyQuaternion(attitude).add(position);
    });
  }
}
