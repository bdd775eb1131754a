// Rods from nodes of a body to what is fixed to them at a distance.

import { Group, type Material, Vector3 } from "three";
import { deformed, pose } from "../data/kinematics";
import type { Body } from "../data/recording";
import { rod } from "./solids";

export class Connectors {
  readonly group = new Group();
  private readonly nodes: number[] = [];
  private readonly node = pose();

  static of(body: Body, radius: number, material: Material): Connectors | null {
    return (body.data.connectors ?? []).length === 0 ? null : new Connectors(body, radius, material);
  }

  private constructor(
    private readonly body: Body,
    radius: number,
    material: Material,
  ) {
    for (const { node, to } of body.data.connectors ?? []) {
      const part = rod(new Vector3(), new Vector3().fromArray(to), radius, material);
      if (part === null) continue;
      const held = new Group();
      held.add(part);
      this.group.add(held);
      this.nodes.push(node);
    }
  }

  /** Follows the nodes, which turn what they carry where the system says so. */
  update(amplitudes: Float64Array, carried: boolean): void {
    this.group.children.forEach((held, i) => {
      deformed(this.body, this.nodes[i], carried ? amplitudes : null, this.node);
      held.position.copy(this.node.position);
      held.quaternion.copy(this.node.attitude);
    });
  }
}
