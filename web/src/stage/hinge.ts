// Marks of hinges: a pin along each axis that it turns about, a sleeve along those that it slides on, a ball where it turns freely.

import { BoxGeometry, CylinderGeometry, Group, type Material, Mesh, Quaternion, SphereGeometry, TorusGeometry, Vector3 } from "three";
import type { BodyData } from "../data/types";

export function hingeMark(data: BodyData["hinge"], size: number, material: Material): Group | null {
  const group = new Group();
  const along = (mesh: Mesh, axis: number[]) => {
    mesh.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3().fromArray(axis).normalize()));
    group.add(mesh);
  };
  switch (data.kind) {
    case "revolute":
    case "screw":
    case "universal":
    case "cylindrical":
      for (const axis of data.axes) along(new Mesh(new CylinderGeometry(0.75 * size, 0.75 * size, 2.6 * size, 16), material), axis);
      break;
    case "prismatic":
      for (const axis of data.axes) along(new Mesh(new BoxGeometry(1.5 * size, 2.8 * size, 1.5 * size), material), axis);
      break;
    case "planar":
      for (const axis of data.axes) along(new Mesh(new CylinderGeometry(1.8 * size, 1.8 * size, 0.3 * size, 20), material), axis);
      break;
    case "spherical":
      group.add(new Mesh(new SphereGeometry(1.2 * size, 16, 12), material));
      break;
    case "free":
      group.add(new Mesh(new TorusGeometry(1.1 * size, 0.16 * size, 8, 24), material));
      break;
    default:
      return null;
  }
  return group;
}
