// What the file says that a body looks like. Shapes move with the body, with one of its nodes, or bend with the sections of its line.

import { Bone, BufferAttribute, type BufferGeometry, Color, DoubleSide, FrontSide, Group, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, Quaternion, Skeleton, SkinnedMesh, SRGBColorSpace, Vector3 } from "three";
import { deformed, pose } from "../data/kinematics";
import { has, type Quantity } from "../data/quantity";
import type { Body } from "../data/recording";
import type { MeshData, ShapeData } from "../data/types";
import { ofShare } from "./colour";
import type { LineMotion } from "./line-motion";
import { shapeGeometry } from "./shape-geometry";

/** Pieces of straight sides that bend. */
const PIECES = 24;

/** A shape that follows a node: from the node at rest to where it is. */
interface Held {
  node: number;
  group: Group;
}

/** A shape that bends: of each corner the samples of the line before and after it, and its own colour. */
interface Bent {
  geometry: BufferGeometry;
  before: Uint32Array;
  part: Float32Array;
  own: Float32Array;
}

export class Shapes {
  readonly group = new Group();
  /** Undeformed, as a ghost. */
  readonly ghost = new Group();
  private readonly held: Held[] = [];
  private readonly bent: Bent[] = [];
  private readonly bones: Bone[] = [];
  private readonly skeleton: Skeleton | null = null;
  private painted: Quantity | null = null;
  private readonly node = pose();

  constructor(
    private readonly body: Body,
    shapes: ShapeData[],
    meshes: MeshData[],
    private readonly motion: LineMotion | null,
    usual: Color,
    veil: MeshBasicMaterial,
  ) {
    if (motion !== null) {
      this.bones = motion.places.map((place) => {
        const bone = new Bone();
        bone.position.copy(place);
        bone.updateMatrixWorld();
        return bone;
      });
      this.skeleton = new Skeleton(this.bones);
      this.group.add(...this.bones);
    }
    for (const shape of shapes) {
      const bends = motion !== null && shape.node === null;
      const geometry = shapeGeometry(shape, meshes, bends ? PIECES : 1);
      const own = paint(geometry, shape, usual);
      const mesh = bends ? this.bend(geometry, own.material, motion) : this.fix(geometry, own.material, shape);
      mesh.frustumCulled = false;
      this.ghost.add(new Mesh(geometry, veil));
    }
  }

  private fix(geometry: BufferGeometry, material: MeshLambertMaterial, { node }: ShapeData): Mesh {
    const mesh = new Mesh(geometry, material);
    if (node === null || this.body.modes === 0) {
      this.group.add(mesh);
      return mesh;
    }
    const group = new Group();
    group.add(mesh);
    // Points are in the body frame: first back to the node at rest.
    mesh.position.fromArray(this.body.positions, 3 * node).negate();
    this.group.add(group);
    this.held.push({ node, group });
    return mesh;
  }

  private bend(geometry: BufferGeometry, material: MeshLambertMaterial, motion: LineMotion): Mesh {
    const places = geometry.getAttribute("position");
    const [before, part] = [new Uint32Array(places.count), new Float32Array(places.count)];
    const [index, weight] = [new Uint16Array(4 * places.count), new Float32Array(4 * places.count)];
    const point = new Vector3();
    for (let v = 0; v < places.count; v++) {
      [before[v], part[v]] = motion.nearest(point.fromBufferAttribute(places, v));
      index.set([before[v], before[v] + 1, 0, 0], 4 * v);
      weight.set([1 - part[v], part[v], 0, 0], 4 * v);
    }
    geometry.setAttribute("skinIndex", new BufferAttribute(index, 4));
    geometry.setAttribute("skinWeight", new BufferAttribute(weight, 4));
    const mesh = new SkinnedMesh(geometry, material);
    mesh.bind(this.skeleton!, new Matrix4());
    this.group.add(mesh);
    this.bent.push({ geometry, before, part, own: Float32Array.from(geometry.getAttribute("color").array) });
    return mesh;
  }

  /** Follows the deformation; shapes that bend tell a quantity by their colours. */
  update(amplitudes: Float64Array, real: Float64Array, quantity: Quantity | null, greatest: number): void {
    for (const { node, group } of this.held) {
      deformed(this.body, node, amplitudes, this.node);
      group.position.copy(this.node.position);
      group.quaternion.copy(this.node.attitude);
    }
    const { motion } = this;
    if (motion === null || this.bent.length === 0) return;
    const [centre, turn] = [new Vector3(), new Quaternion()];
    this.bones.forEach((bone, i) => {
      motion.section(i, amplitudes, centre, turn);
      bone.position.copy(centre);
      bone.quaternion.copy(turn);
    });
    const shown = quantity !== null && has(this.body, quantity) ? quantity : null;
    if (shown === null) {
      if (this.painted !== null) this.bent.forEach(({ geometry, own }) => put(geometry, (colours) => colours.set(own)));
    } else {
      const colour = new Color();
      const scale = this.bones.map((_, i) => ofShare(greatest > 0 ? motion.value(i, shown, real) / greatest : 0, colour).toArray());
      this.bent.forEach(({ geometry, before, part }) =>
        put(geometry, (colours) => {
          for (let v = 0; v < before.length; v++) {
            const [a, b, w] = [scale[before[v]], scale[before[v] + 1], part[v]];
            for (let c = 0; c < 3; c++) colours[4 * v + c] = (1 - w) * a[c] + w * b[c];
          }
        }),
      );
    }
    this.painted = shown;
  }
}

function put(geometry: BufferGeometry, fill: (colours: Float32Array) => void): void {
  const colours = geometry.getAttribute("color") as BufferAttribute;
  fill(colours.array as Float32Array);
  colours.needsUpdate = true;
}

/** Gives each corner its colour: that of the shape, else of the mesh, else the usual one. */
function paint(geometry: BufferGeometry, shape: ShapeData, usual: Color): { material: MeshLambertMaterial } {
  const count = geometry.getAttribute("position").count;
  const painted = shape.colour === null ? geometry.getAttribute("paint") : undefined;
  const colours = new Float32Array(4 * count);
  const [colour, own] = [new Color(), shape.colour];
  if (own === null) colour.copy(usual);
  else colour.setRGB(own[0], own[1], own[2], SRGBColorSpace);
  let least = own === null ? 1 : own[3];
  for (let v = 0; v < count; v++) {
    let alpha = least;
    if (painted !== undefined) {
      colour.setRGB(painted.getX(v), painted.getY(v), painted.getZ(v), SRGBColorSpace);
      alpha = painted.getW(v);
    }
    colours.set([colour.r, colour.g, colour.b, alpha], 4 * v);
  }
  if (painted !== undefined) for (let v = 0; v < count; v++) least = Math.min(least, painted.getW(v));
  geometry.deleteAttribute("paint");
  geometry.setAttribute("color", new BufferAttribute(colours, 4));
  const clear = least < 0.999;
  // Meshes of other programs are not always closed, and their triangles not always turned outward.
  const side = shape.form.kind === "mesh" ? DoubleSide : FrontSide;
  return { material: new MeshLambertMaterial({ vertexColors: true, transparent: clear, depthWrite: !clear, side }) };
}
