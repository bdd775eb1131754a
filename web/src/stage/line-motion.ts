// How the sections of a body on a line move: its shapes between the nodes, on smooth curves.

import { Quaternion, Vector3 } from "three";
import { rotationVector } from "../data/kinematics";
import { ofStrain, type Quantity } from "../data/quantity";
import type { Body } from "../data/recording";

const FEWEST_SAMPLES = 33;

export class LineMotion {
  /** Places along the undeformed line, and how far along they are. */
  readonly places: Vector3[] = [];
  readonly along: number[] = [];
  /** Per sample the node of the line before it and the part of the way to the next. */
  readonly between: [number, number][] = [];
  readonly axis: Vector3;
  /** Per sample and shape: rotation and displacement. */
  private readonly influence: Float64Array;
  /** Per sample and mode: stretch and curvatures, between nodes in proportion. */
  private readonly strain: Float64Array | null;
  private readonly u = new Float64Array(6);
  private readonly told = new Float64Array(3);

  constructor(
    readonly body: Body,
    line: number[],
  ) {
    const at = (n: number) => new Vector3().fromArray(body.positions, 3 * n);
    this.axis = at(line[line.length - 1]).sub(at(line[0])).normalize();
    const steps = Math.max(1, Math.ceil((FEWEST_SAMPLES - 1) / (line.length - 1)));
    const samples = (line.length - 1) * steps + 1;
    this.influence = new Float64Array(samples * body.columns * 6);
    this.strain = body.strain === null ? null : new Float64Array(samples * body.modes * 3);
    const along = line.map((n) => at(n).sub(at(line[0])).dot(this.axis));
    const turning = line.map((n) => turns(body, n));
    for (let i = 0; i < samples; i++) {
      const [k, w] = i === samples - 1 ? [line.length - 2, 1] : [Math.floor(i / steps), (i % steps) / steps];
      this.between.push([k, w]);
      this.places.push(at(line[k]).lerp(at(line[k + 1]), w));
      this.along.push((1 - w) * along[k] + w * along[k + 1]);
      for (let c = 0; c < 3 * body.modes && this.strain !== null && body.strain !== null; c++) {
        this.strain[i * 3 * body.modes + c] = (1 - w) * body.strain[k * 3 * body.modes + c] + w * body.strain[(k + 1) * 3 * body.modes + c];
      }
      const inner = (turning[k] || k === 0) && (turning[k + 1] || k === line.length - 2);
      for (let r = 0; r < body.columns; r++) this.shape(i, r, along, line, [k, w], inner);
    }
  }

  get samples(): number {
    return this.places.length;
  }

  /** Rotation and displacement of a sample in a shape. Where nodes tell no rotations, sections stay at right angles to the line: `θ = t × u′`. */
  private shape(i: number, r: number, along: number[], line: number[], [k, w]: [number, number], turning: boolean): void {
    const { body, axis } = this;
    const out = this.influence.subarray((i * body.columns + r) * 6, (i * body.columns + r + 1) * 6);
    const slope = new Vector3();
    for (let c = 0; c < 6; c++) {
      const value = (n: number) => body.influence[6 * (line[n] * body.columns + r) + c];
      const [own, rate] = smooth(along, value, k, w);
      out[c] = own;
      if (c >= 3) slope.setComponent(c - 3, rate);
    }
    if (turning) return;
    const twist = axis.x * out[0] + axis.y * out[1] + axis.z * out[2];
    slope.crossVectors(axis, slope).addScaledVector(axis, twist).toArray(out);
  }

  /** Where a sample is, and how its section is turned. */
  section(i: number, amplitudes: Float64Array, centre: Vector3, turn: Quaternion): void {
    const { body, u } = this;
    u.fill(0);
    for (let r = 0; r < body.columns; r++) {
      const at = (i * body.columns + r) * 6;
      for (let c = 0; c < 6; c++) u[c] += this.influence[at + c] * amplitudes[r];
    }
    rotationVector(u[0], u[1], u[2], turn);
    centre.copy(this.places[i]);
    centre.x += u[3];
    centre.y += u[4];
    centre.z += u[5];
  }

  /** The value of a quantity at a sample. */
  value(i: number, quantity: Quantity, real: Float64Array): number {
    const { body, strain, told } = this;
    told.fill(0);
    if (quantity === "deflection") {
      for (let r = 0; r < body.columns; r++) for (let c = 0; c < 3; c++) told[c] += this.influence[(i * body.columns + r) * 6 + 3 + c] * real[r];
      return Math.hypot(told[0], told[1], told[2]);
    }
    if (strain === null) return 0;
    for (let r = 0; r < body.modes; r++) for (let c = 0; c < 3; c++) told[c] += strain[(i * body.modes + r) * 3 + c] * real[r];
    return ofStrain(body, quantity, told);
  }

  /** The sample before a point and the part of the way to the next; points beyond an end belong to it. */
  nearest(point: Vector3): [number, number] {
    const s = point.clone().sub(this.places[0]).dot(this.axis);
    let i = 0;
    while (i < this.samples - 2 && this.along[i + 1] < s) i++;
    const w = (s - this.along[i]) / (this.along[i + 1] - this.along[i]);
    return [i, Math.min(Math.max(w, 0), 1)];
  }
}

/** Whether a node turns in any shape. */
function turns(body: Body, n: number): boolean {
  for (let r = 0; r < body.columns; r++) {
    const at = 6 * (n * body.columns + r);
    if (body.influence[at] !== 0 || body.influence[at + 1] !== 0 || body.influence[at + 2] !== 0) return true;
  }
  return false;
}

/** Between values `k` and `k + 1`: the cubic with the slopes of a parabola through three neighbours, and its own slope. */
function smooth(along: number[], value: (n: number) => number, k: number, w: number): [number, number] {
  const slope = (n: number): number => {
    const [a, b] = [Math.max(n - 1, 0), Math.min(n + 1, along.length - 1)];
    if (a === n || b === n) return (value(b) - value(a)) / (along[b] - along[a]);
    const [h, g] = [along[n] - along[a], along[b] - along[n]];
    return (((value(n) - value(a)) / h) * g + ((value(b) - value(n)) / g) * h) / (h + g);
  };
  const h = along[k + 1] - along[k];
  const [p, q, m, n] = [value(k), value(k + 1), h * slope(k), h * slope(k + 1)];
  const [w2, w3] = [w * w, w * w * w];
  const own = (2 * w3 - 3 * w2 + 1) * p + (w3 - 2 * w2 + w) * m + (3 * w2 - 2 * w3) * q + (w3 - w2) * n;
  return [own, ((6 * w2 - 6 * w) * (p - q) + (3 * w2 - 4 * w + 1) * m + (3 * w2 - 2 * w) * n) / h];
}
