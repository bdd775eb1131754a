// A flexible body whose nodes lie on a line: a bar that bends, stretches and twists with its shapes, with the cross-section of its beam where that is known.

import { BufferAttribute, BufferGeometry, Color, Mesh, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import { has, type Quantity } from "../data/quantity";
import { ofShare, PARTS } from "./colour";
import type { LineMotion } from "./line-motion";

/** Corners of a section of unit half size, each with its normal, and whether it is joined to the next one. */
interface Corner {
  y: number;
  z: number;
  normal: [number, number];
  joined: boolean;
}

const round = (sides: number): Corner[] =>
  Array.from({ length: sides }, (_, s) => {
    const [y, z] = [Math.cos((2 * Math.PI * s) / sides), Math.sin((2 * Math.PI * s) / sides)];
    return { y, z, normal: [y, z], joined: true };
  });

/** Both corners of each face. */
const SQUARE: Corner[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
].flatMap(([y, z]) => [
  { y: y + z, z: z - y, normal: [y, z] as [number, number], joined: true },
  { y: y - z, z: z + y, normal: [y, z] as [number, number], joined: false },
]);

export class FlexibleLine {
  readonly mesh: Mesh<BufferGeometry, MeshLambertMaterial>;
  private readonly corners: Corner[];
  private readonly across: [Vector3, Vector3];
  /** Per sample: half sizes and twist. */
  private readonly sizes: [number, number, number][];
  private readonly vertices: BufferAttribute;
  private readonly normals: BufferAttribute;
  private readonly colours: BufferAttribute;

  /** `radius` where no section is known; nothing is drawn thinner than `thin`. */
  constructor(
    private readonly motion: LineMotion,
    radius: number,
    thin: number,
  ) {
    const { body, axis } = motion;
    const section = body.section;
    this.corners = section !== null && !section.round ? SQUARE : round(section === null ? 12 : 20);
    const side = new Vector3(Math.abs(axis.x) < 0.9 ? 1 : 0, Math.abs(axis.x) < 0.9 ? 0 : 1, 0).cross(axis).normalize();
    this.across = section === null ? [side, new Vector3().crossVectors(axis, side)] : [new Vector3().fromArray(section.across[0]), new Vector3().fromArray(section.across[1])];
    // Right-handed about the line, whichever end it starts at.
    const hand = new Vector3().crossVectors(...this.across).dot(axis) < 0 ? -1 : 1;
    this.across[1].multiplyScalar(hand);
    this.sizes = motion.between.map(([k, w]) => {
      if (section === null) return [radius, radius, 0];
      const at = (n: number, c: number) => section.sizes[3 * n + c];
      if (!(at(k, 0) > 0 && at(k + 1, 0) > 0)) return [thin, thin, 0];
      const mix = (c: number) => (1 - w) * at(k, c) + w * at(k + 1, c);
      return [Math.max(mix(0), thin), Math.max(mix(1), thin), hand * mix(2)];
    });
    const ring = this.corners.length;
    const count = motion.samples * ring + 2 * (ring + 1);
    const attribute = () => new BufferAttribute(new Float32Array(3 * count), 3);
    [this.vertices, this.normals, this.colours] = [attribute(), attribute(), attribute()];
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.vertices);
    geometry.setAttribute("normal", this.normals);
    geometry.setAttribute("color", this.colours);
    geometry.setIndex(triangles(motion.samples, this.corners));
    this.mesh = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true }));
    this.mesh.frustumCulled = false;
  }

  /** Takes the shape of some amplitudes; colours are by `real`, the amplitudes as they are, or plain where there is nothing to tell. */
  update(amplitudes: Float64Array, real: Float64Array, quantity: Quantity | null, greatest: number): void {
    const { motion, corners, across } = this;
    const [turn, centre, offset, normal, colour] = [new Quaternion(), new Vector3(), new Vector3(), new Vector3(), new Color()];
    const shown = quantity !== null && has(motion.body, quantity) ? quantity : null;
    for (let i = 0; i < motion.samples; i++) {
      motion.section(i, amplitudes, centre, turn);
      if (shown === null) colour.copy(PARTS.flexible);
      else ofShare(greatest > 0 ? motion.value(i, shown, real) / greatest : 0, colour);
      const [y, z, twist] = this.sizes[i];
      const [cos, sin] = [Math.cos(twist), Math.sin(twist)];
      const place = (a: number, b: number, out: Vector3) =>
        out.copy(across[0]).multiplyScalar(cos * a - sin * b).addScaledVector(across[1], sin * a + cos * b).applyQuaternion(turn);
      corners.forEach((corner, s) => {
        place(y * corner.y, z * corner.z, offset).add(centre);
        place(corner.normal[0], corner.normal[1], normal);
        this.set(i * corners.length + s, offset, normal, colour);
      });
      if (i === 0 || i === motion.samples - 1) this.cap(i === 0 ? 0 : 1, i, centre, turn, colour);
    }
    this.vertices.needsUpdate = true;
    this.normals.needsUpdate = true;
    this.colours.needsUpdate = true;
  }

  private set(at: number, place: Vector3, normal: Vector3, colour: Color): void {
    this.vertices.setXYZ(at, place.x, place.y, place.z);
    this.normals.setXYZ(at, normal.x, normal.y, normal.z);
    this.colours.setXYZ(at, colour.r, colour.g, colour.b);
  }

  /** The flat end: its rim once more with the normal along the beam, and its middle. */
  private cap(end: number, sample: number, centre: Vector3, turn: Quaternion, colour: Color): void {
    const ring = this.corners.length;
    const outward = new Vector3().crossVectors(this.across[0], this.across[1]).applyQuaternion(turn);
    if (end === 0) outward.negate();
    const first = this.motion.samples * ring + end * (ring + 1);
    const rim = new Vector3();
    for (let s = 0; s < ring; s++) this.set(first + s, rim.fromBufferAttribute(this.vertices, sample * ring + s), outward, colour);
    this.set(first + ring, centre, outward, colour);
  }
}

function triangles(samples: number, corners: Corner[]): number[] {
  const out: number[] = [];
  const ring = corners.length;
  for (let i = 0; i < samples - 1; i++) {
    for (let s = 0; s < ring; s++) {
      if (!corners[s].joined) continue;
      const [a, b] = [i * ring + s, i * ring + ((s + 1) % ring)];
      out.push(a, b, a + ring, b, b + ring, a + ring);
    }
  }
  for (const end of [0, 1]) {
    const first = samples * ring + end * (ring + 1);
    for (let s = 0; s < ring; s++) {
      const [a, b] = [first + s, first + ((s + 1) % ring)];
      if (end === 0) out.push(first + ring, b, a);
      else out.push(first + ring, a, b);
    }
  }
  return out;
}
