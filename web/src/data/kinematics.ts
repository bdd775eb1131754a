// From a frame to the poses of all bodies, with the deformation drawn `scale` times as large as it is.
//
//   X(k) = X(p) D(t, s η_p) H(k) D(d, s η_k)⁻¹
//
// H(k) is recorded; D(j, η) is displacement γ η and rotation exp(λ η) at node j. With s = 1 bodies are where the engine has them, with
// s = 0 they follow the hinges alone.

import { Quaternion, Vector3 } from "three";
import type { Body, Recording } from "./recording";

export interface Pose {
  position: Vector3;
  attitude: Quaternion;
}

export function pose(): Pose {
  return { position: new Vector3(), attitude: new Quaternion() };
}

/** Sets a rotation by its vector. */
export function rotationVector(x: number, y: number, z: number, out: Quaternion): Quaternion {
  const angle = Math.sqrt(x * x + y * y + z * z);
  const factor = angle > 1e-9 ? Math.sin(angle / 2) / angle : 0.5;
  return out.set(factor * x, factor * y, factor * z, Math.cos(angle / 2));
}

/** Where a deformation puts a node, in the body frame. */
export function deformed(body: Body, node: number, amplitudes: Float64Array | null, out: Pose): void {
  const u = [0, 0, 0, 0, 0, 0];
  if (amplitudes !== null) {
    for (let r = 0; r < body.columns; r++) {
      const at = 6 * (node * body.columns + r);
      for (let i = 0; i < 6; i++) u[i] += body.influence[at + i] * amplitudes[r];
    }
  }
  const p = body.positions;
  out.position.set((p[3 * node] ?? 0) + u[3], (p[3 * node + 1] ?? 0) + u[4], (p[3 * node + 2] ?? 0) + u[5]);
  rotationVector(u[0], u[1], u[2], out.attitude);
}

/** A mode shown instead of the motion of one body. */
export interface ModeShown {
  body: number;
  /** Modal coordinates, not to be scaled. */
  eta: Float64Array;
}

/** Poses of all bodies and amplitudes of their shapes. */
export class Placement {
  readonly poses: Pose[];
  /** Amplitudes drawn, per body. */
  readonly amplitudes: Float64Array[];
  private readonly node = pose();
  private readonly hinge = pose();
  private readonly own = pose();

  constructor(private readonly recording: Recording) {
    this.poses = recording.bodies.map(pose);
    this.amplitudes = recording.bodies.map((body) => new Float64Array(body.columns));
  }

  place(frame: Float32Array, scale: number, mode: ModeShown | null = null): void {
    const { node, hinge, own } = this;
    const carried = this.recording.scene.carried_by_deformation;
    this.recording.bodies.forEach((body, k) => {
      const eta = frame.subarray(body.offset + 7, body.offset + 7 + body.modes);
      if (mode === null) body.amplitudes(eta, scale, this.amplitudes[k]);
      else if (mode.body === k) body.amplitudes(mode.eta, 1, this.amplitudes[k]);
      else body.amplitudes(eta, 0, this.amplitudes[k]);
      hinge.position.fromArray(frame, body.offset);
      hinge.attitude.fromArray(frame, body.offset + 3);
      const out = this.poses[k];
      const { parent, carrier } = body.data;
      if (parent === null) {
        out.position.set(0, 0, 0);
        out.attitude.identity();
      } else {
        out.position.copy(this.poses[parent].position);
        out.attitude.copy(this.poses[parent].attitude);
        if (carrier !== null) {
          deformed(this.recording.bodies[parent], carrier, carried ? this.amplitudes[parent] : null, node);
          then(out, node);
        }
      }
      then(out, hinge);
      // D(d)⁻¹: back from the node at the hinge to the body frame.
      deformed(body, body.data.inboard, carried ? this.amplitudes[k] : null, own);
      own.attitude.conjugate();
      own.position.applyQuaternion(own.attitude).negate();
      then(out, own);
    });
  }
}

/** `a`, then `b` in its axes. */
function then(a: Pose, b: Pose): void {
  a.position.add(b.position.clone().applyQuaternion(a.attitude));
  a.attitude.multiply(b.attitude);
}
