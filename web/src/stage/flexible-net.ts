// A flexible body of nodes anywhere in space: rods between neighbours, a ball at every node.

import { Color, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Quantity } from "../data/quantity";
import type { Body } from "../data/recording";
import { ofShare, PARTS } from "./colour";

const UP = new Vector3(0, 1, 0);

export class FlexibleNet {
  readonly group = new Group();
  private readonly rods: InstancedMesh;
  private readonly balls: InstancedMesh;
  private readonly places: Vector3[];
  private readonly shares: Float64Array;

  constructor(
    private readonly body: Body,
    private readonly radius: number,
  ) {
    const material = new MeshLambertMaterial();
    const edges = body.data.edges.length;
    this.rods = new InstancedMesh(new CylinderGeometry(1, 1, 1, 6, 1, true), material, Math.max(edges, 1));
    this.rods.count = edges;
    this.balls = new InstancedMesh(new SphereGeometry(1, 8, 6), material, Math.max(body.nodes, 1));
    this.balls.count = body.nodes;
    this.places = Array.from({ length: body.nodes }, () => new Vector3());
    this.shares = new Float64Array(body.nodes);
    this.rods.frustumCulled = this.balls.frustumCulled = false;
    this.group.add(this.rods, this.balls);
  }

  /** Colours tell deflections or nothing: nodes anywhere in space have no line to strain along. */
  update(amplitudes: Float64Array, real: Float64Array, quantity: Quantity | null, most: number): void {
    const { body } = this;
    const greatest = quantity === "deflection" && most > 0 ? most : null;
    const [colour, matrix, turn, size, along, u] = [
      new Color(),
      new Matrix4(),
      new Quaternion(),
      new Vector3(),
      new Vector3(),
      new Float64Array(3),
    ];
    const paint = (share: number) => (greatest === null ? colour.copy(PARTS.flexible) : ofShare(share, colour));
    for (let n = 0; n < body.nodes; n++) {
      body.deflection(n, real, u);
      this.shares[n] = greatest === null ? 0 : Math.hypot(u[0], u[1], u[2]) / greatest;
      body.deflection(n, amplitudes, u);
      this.places[n].fromArray(body.positions, 3 * n).add(size.set(u[0], u[1], u[2]));
      matrix.makeScale(1.6 * this.radius, 1.6 * this.radius, 1.6 * this.radius).setPosition(this.places[n]);
      this.balls.setMatrixAt(n, matrix);
      this.balls.setColorAt(n, paint(this.shares[n]));
    }
    body.data.edges.forEach(([a, b], e) => {
      along.copy(this.places[b]).sub(this.places[a]);
      const length = along.length();
      turn.setFromUnitVectors(UP, length > 0 ? along.divideScalar(length) : UP);
      size.set(this.radius, length, this.radius);
      matrix.compose(this.places[a].clone().lerp(this.places[b], 0.5), turn, size);
      this.rods.setMatrixAt(e, matrix);
      this.rods.setColorAt(e, paint((this.shares[a] + this.shares[b]) / 2));
    });
    for (const mesh of [this.rods, this.balls]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
    }
  }
}
