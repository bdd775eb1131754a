// A flexible body of nodes anywhere in space: rods between neighbours, a ball at every node; a panel where the nodes lie in a plane.

import { BufferAttribute, BufferGeometry, Color, CylinderGeometry, DoubleSide, Group, InstancedMesh, Matrix4, Mesh, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
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
  private readonly panel: BufferGeometry | null;

  constructor(
    private readonly body: Body,
    private radius: number,
  ) {
    this.panel = this.sheet(body.data.panel ?? []);
    // On a panel the rods are its lines.
    if (this.panel !== null) this.radius = radius / 5;
    const material = new MeshLambertMaterial();
    const edges = body.data.edges.length;
    this.rods = new InstancedMesh(new CylinderGeometry(1, 1, 1, 6, 1, true), material, Math.max(edges, 1));
    this.rods.count = edges;
    this.balls = new InstancedMesh(new SphereGeometry(1, 8, 6), material, Math.max(body.nodes, 1));
    this.balls.count = this.panel === null ? body.nodes : 0;
    this.places = Array.from({ length: body.nodes }, () => new Vector3());
    this.shares = new Float64Array(body.nodes);
    this.rods.frustumCulled = this.balls.frustumCulled = false;
    this.group.add(this.rods, this.balls);
  }

  private sheet(triangles: number[][]): BufferGeometry | null {
    if (triangles.length === 0) return null;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.from(this.body.positions), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * this.body.nodes), 3));
    geometry.setIndex(triangles.flat());
    const mesh = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true, side: DoubleSide }));
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return geometry;
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
    if (this.panel !== null) {
      const [places, colours] = [this.panel.getAttribute("position"), this.panel.getAttribute("color")];
      this.places.forEach((place, n) => {
        paint(this.shares[n]);
        places.setXYZ(n, place.x, place.y, place.z);
        colours.setXYZ(n, colour.r, colour.g, colour.b);
      });
      places.needsUpdate = colours.needsUpdate = true;
      this.panel.computeVertexNormals();
    }
    for (const mesh of [this.rods, this.balls]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
    }
  }
}
