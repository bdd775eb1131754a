// How far places are from where they would be without deformation, with signs: along the axes of a body.
//
// Of the place of a flexible body that deflects most, mostly its far end, from where the body has it undeformed; of the end of an arm, from where the same hinge coordinates would have it if
// nothing bent.

import { Quaternion, Vector3 } from "three";
import { deformed, Placement, pose, type Pose } from "./kinematics";
import type { Body, Recording } from "./recording";

export interface Deflection {
  /** Where. */
  label: string;
  /** The same as columns of results name it. */
  name: string;
  /** Whether the whole arm counts. */
  wholeArm: boolean;
  /** Along x, y and z, m. */
  components: number[][];
}

const [MOST_BODIES, MOST_ENDS] = [24, 8];

/** Deflections of all places, frame by frame. */
export function deflections(recording: Recording): Deflection[] {
  return [...ofBodies(recording), ...ofArms(recording)];
}

function named(recording: Recording, k: number, node: number): { label: string; name: string } {
  const body = recording.bodies[k];
  const far = body.tip();
  const away = (n: number) => Math.hypot(...[0, 1, 2].map((i) => body.positions[3 * n + i] - body.positions[3 * body.data.inboard + i]));
  const own = body.data.node_names[node] || (node === far ? "far end" : `at ${((100 * away(node)) / away(far)).toFixed(0)} % of its length`);
  return { label: `${body.name}, ${own}`, name: `${body.name}.${own}` };
}

/** Frames that are looked at for the node that deflects most. */
const LOOKS = 60;

/** The node of a body that deflects most; the far end where that does so as much. */
function mostDeflected(recording: Recording, body: Body): number {
  const [most, u, amplitudes] = [new Float64Array(body.nodes), new Float64Array(3), new Float64Array(body.columns)];
  for (let f = 0; f < recording.count; f += Math.max(1, Math.floor(recording.count / LOOKS))) {
    body.amplitudes(recording.eta(f, body), 1, amplitudes);
    for (let n = 0; n < body.nodes; n++) {
      body.deflection(n, amplitudes, u);
      most[n] = Math.max(most[n], Math.hypot(u[0], u[1], u[2]));
    }
  }
  const tip = body.tip();
  const best = most.reduce((at, x, n) => (x > most[at] ? n : at), tip);
  return most[tip] >= 0.95 * most[best] ? tip : best;
}

function ofBodies(recording: Recording): Deflection[] {
  const u = new Float64Array(3);
  const flexible = recording.bodies.map((_, k) => k).filter((k) => recording.bodies[k].modes > 0 && recording.bodies[k].nodes > 0);
  return flexible.slice(0, MOST_BODIES).map((k) => {
    const body = recording.bodies[k];
    const [tip, amplitudes] = [mostDeflected(recording, body), new Float64Array(body.columns)];
    const components: number[][] = [[], [], []];
    for (let f = 0; f < recording.count; f++) {
      body.amplitudes(recording.eta(f, body), 1, amplitudes);
      body.deflection(tip, amplitudes, u);
      components.forEach((list, i) => list.push(u[i]));
    }
    return { ...named(recording, k, tip), wholeArm: false, components };
  });
}

function ofArms(recording: Recording): Deflection[] {
  const { bodies, scene } = recording;
  if ((scene.closures?.length ?? 0) > 0) return [];
  const carriesFlexible = (k: number): boolean => {
    for (let p = bodies[k].data.parent; p !== null; p = bodies[p].data.parent) if (bodies[p].modes > 0) return true;
    return false;
  };
  const ends = bodies
    .map((_, k) => k)
    .filter((k) => !bodies.some((body) => body.data.parent === k) && carriesFlexible(k))
    .slice(0, MOST_ENDS);
  if (ends.length === 0) return [];
  const [bent, straight, frame] = [new Placement(recording), new Placement(recording), new Float32Array(recording.length)];
  const nodes = ends.map((k) => bodies[k].tip());
  const components = ends.map((): number[][] => [[], [], []]);
  for (let f = 0; f < recording.count; f++) {
    recording.frame(f, frame);
    bent.place(frame, 1);
    straight.place(frame, 0);
    ends.forEach((k, e) => {
      const away = place(recording, bent, k, nodes[e]).sub(place(recording, straight, k, nodes[e]));
      away.applyQuaternion(back.copy(straight.poses[k].attitude).conjugate());
      away.toArray().forEach((x, i) => components[e][i].push(x));
    });
  }
  return ends.map((k, e) => ({ ...named(recording, k, nodes[e]), wholeArm: true, components: components[e] }));
}

const back = new Quaternion();
const node: Pose = pose();

function place(recording: Recording, at: Placement, k: number, n: number): Vector3 {
  deformed(recording.bodies[k], n, at.amplitudes[k], node);
  return node.position.clone().applyQuaternion(at.poses[k].attitude).add(at.poses[k].position);
}
