// A flexible body whose nodes lie on a line: a tube that bends, stretches and twists with its shapes.

import { BufferAttribute, BufferGeometry, Color, Mesh, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { Body } from "../data/recording";
import { rotationVector } from "../data/kinematics";
import { has, ofStrain, type Quantity } from "../data/quantity";
import { ofShare, PARTS } from "./colour";

const SIDES = 12;
const FEWEST_SAMPLES = 33;

export class FlexibleLine {
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly places: Vector3[] = [];
  /** Per sample and shape: rotation and displacement, between nodes on a smooth curve. */
  private readonly influence: Float64Array;
  /** Per sample and mode: stretch and curvatures, between nodes in proportion. */
  private readonly strain: Float64Array | null;
  private readonly samples: number;
  private readonly across: [Vector3, Vector3];
  private readonly vertices: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly colours: BufferAttribute;

  constructor(
    private readonly body: Body,
    line: number[],
    private readonly radius: number,
  ) {
    const at = (n: number) => new Vector3().fromArray(body.positions, 3 * n);
    const axis = at(line[line.length - 1]).sub(at(line[0])).normalize();
    const side = new Vector3(Math.abs(axis.x) < 0.9 ? 1 : 0, Math.abs(axis.x) < 0.9 ? 0 : 1, 0).cross(axis).normalize();
    this.across = [side, new Vector3().crossVectors(axis, side)];
    const steps = Math.max(1, Math.ceil((FEWEST_SAMPLES - 1) / (line.length - 1)));
    this.samples = (line.length - 1) * steps + 1;
    this.influence = new Float64Array(this.samples * body.columns * 6);
    this.strain = body.strain === null ? null : new Float64Array(this.samples * body.modes * 3);
    const along = line.map((n) => at(n).sub(at(line[0])).dot(axis));
    for (let i = 0; i < this.samples; i++) {
      const [k, w] = i === this.samples - 1 ? [line.length - 2, 1] : [Math.floor(i / steps), (i % steps) / steps];
      this.places.push(at(line[k]).lerp(at(line[k + 1]), w));
      for (let c = 0; c < 3 * body.modes && this.strain !== null && body.strain !== null; c++) {
        this.strain[i * 3 * body.modes + c] = (1 - w) * body.strain[k * 3 * body.modes + c] + w * body.strain[(k + 1) * 3 * body.modes + c];
      }
      for (let c = 0; c < 6 * body.columns; c++) {
        const value = (n: number) => body.influence[6 * line[n] * body.columns + c];
        this.influence[i * 6 * body.columns + c] = smooth(along, value, k, w);
      }
    }
    const geometry = new BufferGeometry();
    const count = this.samples * SIDES + 2 * SIDES + 2;
    this.vertices = new BufferAttribute(new Float32Array(3 * count), 3);
    this.normals = new BufferAttribute(new Float32Array(3 * count), 3);
    this.colours = new BufferAttribute(new Float32Array(3 * count), 3);
    geometry.setAttribute("position", this.vertices);
    geometry.setAttribute("normal", this.normals);
    geometry.setAttribute("color", this.colours);
    geometry.setIndex(triangles(this.samples));
    const material = new MeshLambertMaterial({ vertexColors: true });
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
  }

  /** Takes the shape of some amplitudes; colours are by `real`, the amplitudes as they are, or plain where there is nothing to tell. */
  update(amplitudes: Float64Array, real: Float64Array, quantity: Quantity | null, greatest: number): void {
    const { body, samples, across, radius } = this;
    const [turn, centre, offset, colour] = [new Quaternion(), new Vector3(), new Vector3(), new Color()];
    const [u, told] = [new Float64Array(6), new Float64Array(3)];
    const shown = quantity !== null && has(body, quantity) ? quantity : null;
    for (let i = 0; i < samples; i++) {
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
      if (shown === null) colour.copy(PARTS.flexible);
      else ofShare(greatest > 0 ? this.value(i, shown, real, told) / greatest : 0, colour);
      for (let s = 0; s < SIDES; s++) {
        const angle = (2 * Math.PI * s) / SIDES;
        offset.copy(across[0]).multiplyScalar(Math.cos(angle)).addScaledVector(across[1], Math.sin(angle)).applyQuaternion(turn);
        this.set(i * SIDES + s, centre, offset, radius, colour);
      }
      if (i === 0 || i === samples - 1) this.cap(i === 0 ? 0 : 1, i, centre, turn, colour);
    }
    this.vertices.needsUpdate = true;
    this.normals.needsUpdate = true;
    this.colours.needsUpdate = true;
  }

  /** The value of a quantity at a sample. */
  private value(i: number, quantity: Quantity, real: Float64Array, told: Float64Array): number {
    const { body, strain } = this;
    told.fill(0);
    if (quantity === "deflection") {
      for (let r = 0; r < body.columns; r++) for (let c = 0; c < 3; c++) told[c] += this.influence[(i * body.columns + r) * 6 + 3 + c] * real[r];
      return Math.hypot(told[0], told[1], told[2]);
    }
    if (strain === null) return 0;
    for (let r = 0; r < body.modes; r++) for (let c = 0; c < 3; c++) told[c] += strain[(i * body.modes + r) * 3 + c] * real[r];
    return ofStrain(body, quantity, told);
  }

  private set(at: number, centre: Vector3, normal: Vector3, radius: number, colour: Color): void {
    this.vertices.setXYZ(at, centre.x + radius * normal.x, centre.y + radius * normal.y, centre.z + radius * normal.z);
    this.normals.setXYZ(at, normal.x, normal.y, normal.z);
    this.colours.setXYZ(at, colour.r, colour.g, colour.b);
  }

  /** The flat end: its rim once more with the normal along the beam, and its middle. */
  private cap(end: number, ring: number, centre: Vector3, turn: Quaternion, colour: Color): void {
    const outward = new Vector3().crossVectors(this.across[0], this.across[1]).applyQuaternion(turn);
    if (end === 0) outward.negate();
    const first = this.samples * SIDES + end * (SIDES + 1);
    for (let s = 0; s < SIDES; s++) {
      const from = ring * SIDES + s;
      this.vertices.setXYZ(first + s, this.vertices.getX(from), this.vertices.getY(from), this.vertices.getZ(from));
      this.normals.setXYZ(first + s, outward.x, outward.y, outward.z);
      this.colours.setXYZ(first + s, colour.r, colour.g, colour.b);
    }
    this.vertices.setXYZ(first + SIDES, centre.x, centre.y, centre.z);
    this.normals.setXYZ(first + SIDES, outward.x, outward.y, outward.z);
    this.colours.setXYZ(first + SIDES, colour.r, colour.g, colour.b);
  }
}

/** Between values `k` and `k + 1`: the cubic with the slopes of a parabola through three neighbours. */
function smooth(along: number[], value: (n: number) => number, k: number, w: number): number {
  const slope = (n: number): number => {
    const [a, b] = [Math.max(n - 1, 0), Math.min(n + 1, along.length - 1)];
    if (a === n || b === n) return (value(b) - value(a)) / (along[b] - along[a]);
    const [h, g] = [along[n] - along[a], along[b] - along[n]];
    return (((value(n) - value(a)) / h) * g + ((value(b) - value(n)) / g) * h) / (h + g);
  };
  const h = along[k + 1] - along[k];
  const [p, q, m, n] = [value(k), value(k + 1), h * slope(k), h * slope(k + 1)];
  const [w2, w3] = [w * w, w * w * w];
  return (2 * w3 - 3 * w2 + 1) * p + (w3 - 2 * w2 + w) * m + (3 * w2 - 2 * w3) * q + (w3 - w2) * n;
}

function triangles(samples: number): number[] {
  const out: number[] = [];
  for (let i = 0; i < samples - 1; i++) {
    for (let s = 0; s < SIDES; s++) {
      const [a, b] = [i * SIDES + s, i * SIDES + ((s + 1) % SIDES)];
      out.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
    }
  }
  for (const end of [0, 1]) {
    const first = samples * SIDES + end * (SIDES + 1);
    for (let s = 0; s < SIDES; s++) {
      const [a, b] = [first + s, first + ((s + 1) % SIDES)];
      if (end === 0) out.push(first + SIDES, b, a);
      else out.push(first + SIDES, a, b);
    }
  }
  return out;
}
