// All bodies of a run as things to draw, and where a frame puts them.

import { AxesHelper, Color, Group, LineBasicMaterial, LineSegments, EdgesGeometry, Mesh, MeshBasicMaterial, MeshLambertMaterial, Vector3, type Object3D } from "three";
import { deformed, type ModeShown, Placement, pose } from "../data/kinematics";
import { type Greatest, greatestOf, type Quantity } from "../data/quantity";
import type { Body, Recording } from "../data/recording";
import { ClosureMark } from "./closure";
import { PARTS } from "./colour";
import { Connectors } from "./connectors";
import { FlexibleLine } from "./flexible-line";
import { FlexibleNet } from "./flexible-net";
import { hingeMark } from "./hinge";
import { LineMotion } from "./line-motion";
import { Shapes } from "./shapes";
import { rigidBody, rod, solidMesh } from "./solids";

export interface Look {
  scale: number;
  ghost: boolean;
  frames: boolean;
  colour: Quantity | "none";
  mode: ModeShown | null;
}

interface Part {
  group: Group;
  ghost: Group;
  frame: AxesHelper;
  hinge: Object3D | null;
  /** What bends. */
  bending: (FlexibleLine | FlexibleNet | Shapes)[];
  connectors: Connectors | null;
}

export class System {
  readonly group = new Group();
  private readonly parts: Part[];
  private readonly placement: Placement;
  private readonly ghosts: Placement;
  private readonly frame: Float32Array;
  private readonly rest: Float32Array;
  /** The system mode that the rest is of. */
  private about: Recording | null = null;
  private readonly real: Float64Array[];
  private readonly closures: ClosureMark[];
  private readonly unscaled: Placement;
  private readonly node = pose();

  constructor(
    readonly recording: Recording,
    private readonly size: number,
    /** The values that have the brightest colour. */
    public greatest: Greatest,
  ) {
    this.placement = new Placement(recording);
    this.ghosts = new Placement(recording);
    this.frame = new Float32Array(recording.length);
    this.rest = new Float32Array(recording.length);
    this.real = recording.bodies.map((body) => new Float64Array(body.columns));
    this.parts = recording.bodies.map((body, k) => this.part(body, k));
    this.unscaled = new Placement(recording);
    this.closures = (recording.scene.closures ?? []).flatMap((closure) => ClosureMark.of(closure, recording, size) ?? []);
    this.closures.forEach((closure) => this.group.add(closure.group));
    const mark = new MeshLambertMaterial({ color: PARTS.ground });
    recording.bodies.forEach((body) => {
      if (body.data.parent !== null || body.data.hinge.kind === "free" || body.hasShapes) return;
      const base = new Group();
      const thin = this.size / 120;
      const foot = solidMesh({ form: { kind: "box", sides: [3.6 * thin, 3.6 * thin, 3.6 * thin] }, centre: [0, 0, 0], axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }, 0, mark);
      base.add(foot);
      base.position.fromArray(body.data.hinge.position);
      this.group.add(base);
    });
  }

  /** How thick a beam is drawn whose section is not known. */
  private thickness(body: Body): number {
    let far = 0;
    for (let n = 0; n < body.nodes; n++) far = Math.max(far, Math.hypot(body.positions[3 * n], body.positions[3 * n + 1], body.positions[3 * n + 2]));
    return Math.min(Math.max(far / 38, this.size / 400), this.size / 90);
  }

  private part(body: Body, k: number): Part {
    const [group, ghost] = [new Group(), new Group()];
    const thin = this.size / 120;
    const { line } = body.data;
    const wire = new LineBasicMaterial({ color: PARTS.ghost, transparent: true, opacity: 0.75 });
    const veil = new MeshBasicMaterial({ color: PARTS.ghost, transparent: true, opacity: 0.16, depthWrite: false });
    const bending: Part["bending"] = [];
    const motion = body.modes > 0 && line !== null && line.length > 1 ? new LineMotion(body, line) : null;
    if (body.hasShapes) {
      const usual = body.modes > 0 ? PARTS.flexible : PARTS.rigid[k % PARTS.rigid.length];
      const shapes = new Shapes(body, body.data.shapes ?? [], this.recording.scene.meshes ?? [], motion, usual, veil);
      group.add(shapes.group);
      ghost.add(shapes.ghost);
      bending.push(shapes);
    }
    if (body.modes > 0 && body.nodes > 0) {
      const radius = this.thickness(body);
      if (motion !== null && line !== null) {
        if (!body.hasShapes) {
          const shape = new FlexibleLine(motion, radius, this.size / 400);
          group.add(shape.mesh);
          bending.push(shape);
        }
        const at = (n: number) => new Vector3().fromArray(body.positions, 3 * n);
        const straight = rod(at(line[0]), at(line[line.length - 1]), 0.55 * radius, new MeshBasicMaterial({ color: PARTS.ghost, transparent: true, opacity: 0.45, depthWrite: false }), 8);
        if (straight !== null && !body.hasShapes) ghost.add(straight);
      } else {
        const shape = new FlexibleNet(body, line === null ? radius / 2 : radius);
        bending.push(shape);
        group.add(shape.group);
        const points = body.data.edges.flat().map((n) => new Vector3().fromArray(body.positions, 3 * n));
        const lines = new LineSegments(undefined, wire);
        lines.geometry.setFromPoints(points);
        ghost.add(lines);
      }
    } else if (!body.hasShapes) {
      const frames = (this.recording.scene.closures ?? []).flatMap((closure) => closure.frames ?? []).filter((frame) => frame.body === k);
      const solid = rigidBody(body, frames, thin, new MeshLambertMaterial({ color: PARTS.rigid[k % PARTS.rigid.length] }));
      group.add(solid);
      solid.children.forEach((child) => {
        const mesh = child as Mesh;
        const edges = new LineSegments(new EdgesGeometry(mesh.geometry, 30), wire);
        edges.position.copy(mesh.position);
        edges.quaternion.copy(mesh.quaternion);
        const faint = new Mesh(mesh.geometry, veil);
        faint.position.copy(mesh.position);
        faint.quaternion.copy(mesh.quaternion);
        ghost.add(edges, faint);
      });
    }
    const colour = body.modes > 0 ? PARTS.flexible : PARTS.rigid[k % PARTS.rigid.length];
    const connectors = body.hasShapes ? null : Connectors.of(body, 0.45 * thin, new MeshLambertMaterial({ color: colour }));
    if (connectors !== null) group.add(connectors.group);
    const frame = new AxesHelper(this.size / 14);
    // What looks like itself shows its joints itself.
    const { parent } = body.data;
    const marked = !(body.hasShapes && (parent === null || this.recording.bodies[parent].hasShapes));
    const hinge = marked ? hingeMark(body.data.hinge, thin, new MeshLambertMaterial({ color: PARTS.hinge })) : null;
    this.group.add(group, ghost, frame, ...(hinge === null ? [] : [hinge]));
    return { group, ghost, frame, hinge, bending, connectors };
  }

  /** Draws the system at a time, of its own motion or of another one. */
  update(time: number, look: Look, from: Recording = this.recording): void {
    const { recording, frame, placement } = this;
    from.sample(time, frame);
    const greatest = from === recording ? this.greatest : this.modeSize;
    placement.place(frame, look.scale, look.mode);
    if (look.ghost) this.ghost(frame, from);
    if (this.closures.length > 0) this.unscaled.place(frame, 1);
    this.closures.forEach((closure) => closure.update(placement, this.unscaled));
    recording.bodies.forEach((body, k) => {
      const part = this.parts[k];
      const { position, attitude } = placement.poses[k];
      part.group.position.copy(position);
      part.group.quaternion.copy(attitude);
      part.frame.visible = look.frames;
      part.frame.position.copy(position);
      part.frame.quaternion.copy(attitude);
      part.ghost.visible = look.ghost;
      if (look.ghost) {
        part.ghost.position.copy(this.ghosts.poses[k].position);
        part.ghost.quaternion.copy(this.ghosts.poses[k].attitude);
      }
      if (part.hinge !== null) {
        deformed(body, body.data.inboard, placement.amplitudes[k], this.node);
        part.hinge.position.copy(this.node.position).applyQuaternion(attitude).add(position);
        this.carrierAttitude(k, part.hinge);
      }
      part.connectors?.update(placement.amplitudes[k], recording.scene.carried_by_deformation);
      if (part.bending.length > 0) {
        const eta = look.mode?.body === k ? look.mode.eta : frame.subarray(body.offset + 7, body.offset + 7 + body.modes);
        body.amplitudes(eta, look.mode !== null && look.mode.body !== k ? 0 : 1, this.real[k]);
        const quantity = look.colour === "none" ? null : look.colour;
        const most = quantity === null ? 0 : this.colourScale(look, greatest[quantity], quantity, k);
        part.bending.forEach((shape) => shape.update(placement.amplitudes[k], this.real[k], quantity, most));
      }
    });
  }

  /** The same hinge motion without deformation; of a system mode, the state that it is about. */
  private ghost(frame: Float32Array, from: Recording): void {
    if (from === this.recording) return this.ghosts.place(frame, 0);
    if (this.about !== from) {
      from.mean(this.rest);
      this.about = from;
    }
    this.ghosts.place(this.rest, 1);
  }

  /** Whether anything can bend. */
  get isFlexible(): boolean {
    return this.recording.bodies.some((body) => body.modes > 0);
  }

  /** In a mode, the body shown has the whole scale to itself. */
  private colourScale(look: Look, greatest: number, quantity: Quantity, k: number): number {
    if (look.mode === null) return greatest;
    if (look.mode.body !== k) return Infinity;
    return Math.max(greatestOf(this.recording.bodies[k], quantity, look.mode.eta), this.modeSize[quantity]);
  }

  /** Greatest values of the mode shown. */
  modeSize: Greatest = { deflection: 0, strain: 0, curvature: 0 };

  private carrierAttitude(k: number, mark: Object3D): void {
    const { parent, carrier } = this.recording.bodies[k].data;
    if (parent === null) {
      mark.quaternion.identity();
      return;
    }
    mark.quaternion.copy(this.placement.poses[parent].attitude);
    if (carrier !== null && this.recording.scene.carried_by_deformation) {
      deformed(this.recording.bodies[parent], carrier, this.placement.amplitudes[parent], this.node);
      mark.quaternion.multiply(this.node.attitude);
    }
  }

  /** Where a body is drawn: for labels and for a camera that follows. */
  place(k: number, out: Vector3): Vector3 {
    const body = this.recording.bodies[k];
    const { position, attitude } = this.placement.poses[k];
    return out.fromArray(body.data.mass.mass_centre).applyQuaternion(attitude).add(position);
  }

  /** Where a node is drawn. */
  nodePlace(k: number, n: number): Vector3 {
    const { position, attitude } = this.placement.poses[k];
    deformed(this.recording.bodies[k], n, this.placement.amplitudes[k], this.node);
    return this.node.position.clone().applyQuaternion(attitude).add(position);
  }

  setDark(dark: boolean): void {
    const colour = new Color(dark ? "#8fa0b8" : "#7f8da0");
    this.parts.forEach((part) => part.ghost.traverse((child) => {
      const material = (child as Mesh).material as MeshBasicMaterial | undefined;
      if (material !== undefined && "color" in material) material.color.copy(colour);
    }));
  }
}
