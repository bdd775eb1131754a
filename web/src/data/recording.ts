// A motion: frames of hinge poses and modal coordinates, which may grow while a run goes on.

import type { BodyData, Fibres, MotionData, SceneData, SectionData } from "./types";
import { doubles, singles } from "./numbers";

/** A body with its arrays decoded. */
export class Body {
  readonly name: string;
  readonly positions: Float32Array;
  readonly influence: Float32Array;
  readonly nodes: number;
  readonly modes: number;
  /** Modes and second-order shapes. */
  readonly columns: number;
  /** Per node of the line and mode: stretch, curvature about y and z of the section. */
  readonly strain: Float32Array | null;
  readonly fibres: Fibres | null;
  /** Cross-sections along the line, where they are known. */
  readonly section: { round: boolean; across: SectionData["across"]; sizes: Float32Array } | null;

  constructor(
    readonly data: BodyData,
    /** Where its numbers start in a frame. */
    readonly offset: number,
  ) {
    this.name = data.name;
    this.positions = singles(data.positions);
    this.influence = singles(data.influence);
    this.nodes = data.node_names.length;
    this.modes = data.modes;
    this.columns = data.modes + data.second_order.length;
    this.strain = data.strain ? singles(data.strain.shapes) : null;
    this.fibres = data.strain?.fibres ?? null;
    this.section = data.section ? { ...data.section, sizes: singles(data.section.sizes) } : null;
  }

  /** Amplitudes of all shapes when the modal coordinates are `scale` times `eta`: second-order shapes follow the scaled ones. */
  amplitudes(eta: ArrayLike<number>, scale: number, out: Float64Array): void {
    for (let r = 0; r < this.modes; r++) out[r] = scale * eta[r];
    this.data.second_order.forEach((entries, k) => {
      let sum = 0;
      for (const [r, s, b] of entries) sum += (r === s ? 0.5 : 1) * b * out[r] * out[s];
      out[this.modes + k] = sum;
    });
  }

  /** The node farthest from the hinge: where deflections are told. */
  tip(): number {
    const at = (n: number, i: number) => this.positions[3 * n + i];
    let best = this.data.inboard;
    let most = -1;
    for (let n = 0; n < this.nodes; n++) {
      const d = [0, 1, 2].reduce((sum, i) => sum + (at(n, i) - at(this.data.inboard, i)) ** 2, 0);
      if (d > most) [best, most] = [n, d];
    }
    return best;
  }

  /** Whether the file says what it looks like. */
  get hasShapes(): boolean {
    return (this.data.shapes ?? []).length > 0;
  }

  /** Stretch and curvatures at a node of the line; shapes of second order have none. */
  strainAt(n: number, eta: ArrayLike<number>, out: Float64Array): void {
    out.fill(0);
    if (this.strain === null) return;
    for (let r = 0; r < this.modes; r++) {
      const at = 3 * (n * this.modes + r);
      for (let i = 0; i < 3; i++) out[i] += this.strain[at + i] * eta[r];
    }
  }

  /** Displacement of a node by the deformation. */
  deflection(node: number, amplitudes: Float64Array, out: Float64Array): void {
    out.fill(0);
    for (let r = 0; r < this.columns; r++) {
      const at = 6 * (node * this.columns + r) + 3;
      for (let i = 0; i < 3; i++) out[i] += this.influence[at + i] * amplitudes[r];
    }
  }
}

export class Recording {
  readonly bodies: Body[];
  /** Numbers of a frame. */
  readonly length: number;
  times: number[];
  private frames: Float32Array;

  constructor(
    readonly scene: SceneData,
    motion: MotionData,
  ) {
    let offset = 0;
    this.bodies = scene.bodies.map((data) => {
      const body = new Body(data, offset);
      offset += 7 + data.modes;
      return body;
    });
    this.length = offset;
    this.times = Array.from(doubles(motion.times));
    this.frames = singles(motion.frames);
  }

  get count(): number {
    return this.times.length;
  }

  get start(): number {
    return this.times[0] ?? 0;
  }

  get end(): number {
    return this.times[this.count - 1] ?? 0;
  }

  /** One more frame, later than all others. */
  push(time: number, frame: Float32Array): void {
    if (this.count > 0 && time <= this.end) return;
    const needed = (this.count + 1) * this.length;
    if (this.frames.length < needed) {
      const grown = new Float32Array(Math.max(needed, 2 * this.frames.length));
      grown.set(this.frames);
      this.frames = grown;
    }
    this.frames.set(frame, this.count * this.length);
    this.times.push(time);
  }

  /** Modal coordinates of a body in a frame, as a view. */
  eta(frame: number, body: Body): Float32Array {
    const at = frame * this.length + body.offset + 7;
    return this.frames.subarray(at, at + body.modes);
  }

  /** A frame as it was recorded. */
  frame(f: number, out: Float32Array): void {
    out.set(this.frames.subarray(f * this.length, (f + 1) * this.length));
  }

  /** The last frame at or before a time. */
  frameAt(time: number): number {
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  /** The frame of a time, between those recorded: numbers in proportion, quaternions on the shorter way. */
  sample(time: number, out: Float32Array): void {
    if (this.count === 0) return this.rest(out);
    const i = this.frameAt(time);
    const j = Math.min(i + 1, this.count - 1);
    const span = this.times[j] - this.times[i];
    const w = span > 0 ? Math.min(Math.max((time - this.times[i]) / span, 0), 1) : 0;
    const [a, b] = [i * this.length, j * this.length];
    const f = this.frames;
    for (let k = 0; k < this.length; k++) out[k] = (1 - w) * f[a + k] + w * f[b + k];
    for (const body of this.bodies) {
      const q = body.offset + 3;
      let dot = 0;
      for (let k = 0; k < 4; k++) dot += f[a + q + k] * f[b + q + k];
      const sign = dot < 0 ? -1 : 1;
      let size = 0;
      for (let k = 0; k < 4; k++) {
        out[q + k] = (1 - w) * f[a + q + k] + sign * w * f[b + q + k];
        size += out[q + k] ** 2;
      }
      size = Math.sqrt(size) || 1;
      for (let k = 0; k < 4; k++) out[q + k] /= size;
    }
  }

  /** The mean over all times: of a period of a vibration, the state that it is about. */
  mean(out: Float32Array): void {
    const own = new Float32Array(this.length);
    const sums = new Float64Array(this.length);
    const steps = 48;
    const first = new Float32Array(this.length);
    this.sample(this.start, first);
    for (let i = 0; i < steps; i++) {
      this.sample(this.start + (i / steps) * (this.end - this.start), own);
      for (const body of this.bodies) {
        const q = body.offset + 3;
        let dot = 0;
        for (let k = q; k < q + 4; k++) dot += own[k] * first[k];
        if (dot < 0) for (let k = q; k < q + 4; k++) own[k] = -own[k];
      }
      own.forEach((x, k) => (sums[k] += x / steps));
    }
    out.set(sums);
    for (const body of this.bodies) {
      const q = body.offset + 3;
      const size = Math.hypot(...out.subarray(q, q + 4)) || 1;
      for (let k = q; k < q + 4; k++) out[k] /= size;
    }
  }

  /** Where nothing was recorded, bodies are drawn with their hinges at zero. */
  private rest(out: Float32Array): void {
    out.fill(0);
    for (const body of this.bodies) {
      out.set(body.data.hinge.position, body.offset);
      out[body.offset + 6] = 1;
    }
  }
}
