// What colours tell of flexible bodies.
//
// Along a line of nodes, stretch ε and curvatures κ_y, κ_z come per mode with the data. The greatest normal strain of a section is
// |ε| + r |κ| where its fibres lie on a circle, |ε| + z |κ_y| + y |κ_z| where they lie in corners. Shapes of second order do not strain.

import type { Body, Recording } from "./recording";
import { short } from "./numbers";
import { shown } from "./units";

export type Quantity = "deflection" | "strain" | "curvature";
export const QUANTITIES: Quantity[] = ["deflection", "strain", "curvature"];
/** Shapes at nodes in frames that are looked at for a greatest value; beyond it some frames are passed over. */
const MOST_WORK = 5e6;
export type Greatest = Record<Quantity, number>;

/** Whether a body has a quantity. */
export function has(body: Body, quantity: Quantity): boolean {
  if (body.modes === 0) return false;
  if (quantity === "deflection") return body.nodes > 0;
  return body.strain !== null && (quantity === "curvature" || body.fibres !== null);
}

/** From stretch and curvatures. */
export function ofStrain(body: Body, quantity: "strain" | "curvature", [stretch, y, z]: ArrayLike<number> & Iterable<number>): number {
  if (quantity === "curvature") return Math.hypot(y, z);
  const fibres = body.fibres;
  if (fibres === null) return 0;
  return Math.abs(stretch) + (fibres.kind === "round" ? fibres.radius * Math.hypot(y, z) : fibres.z * Math.abs(y) + fibres.y * Math.abs(z));
}

/** The greatest value of a body in one state, by modal coordinates as they are. */
export function greatestOf(body: Body, quantity: Quantity, eta: ArrayLike<number>): number {
  let most = 0;
  if (quantity === "deflection") {
    const [amplitudes, u] = [new Float64Array(body.columns), new Float64Array(3)];
    body.amplitudes(eta, 1, amplitudes);
    for (let n = 0; n < body.nodes; n++) {
      body.deflection(n, amplitudes, u);
      most = Math.max(most, Math.hypot(u[0], u[1], u[2]));
    }
  } else if (body.strain !== null) {
    const told = new Float64Array(3);
    for (let n = 0; n < (body.data.line?.length ?? 0); n++) {
      body.strainAt(n, eta, told);
      most = Math.max(most, ofStrain(body, quantity, told));
    }
  }
  return most;
}

/** The greatest value of any body over the motion from a frame on; nothing where no body has any. */
function greatest(recording: Recording, quantity: Quantity, from: number): number {
  let most = 0;
  const bodies = recording.bodies.filter((one) => has(one, quantity));
  const stride = Math.max(1, Math.ceil(((recording.count - from) * bodies.reduce((sum, body) => sum + body.nodes * body.columns, 0)) / MOST_WORK));
  for (const body of bodies) {
    for (let f = from; f < recording.count; f += stride) most = Math.max(most, greatestOf(body, quantity, recording.eta(f, body)));
  }
  return most;
}

/** The greatest values over some motions, from a frame on. */
export function greatestOver(recordings: Recording[], from = 0): Greatest {
  const of = (quantity: Quantity) => Math.max(0, ...recordings.map((recording) => greatest(recording, quantity, from)));
  return { deflection: of("deflection"), strain: of("strain"), curvature: of("curvature") };
}

/** Quantities that any body has. */
export function offered(recordings: Recording[]): Quantity[] {
  return QUANTITIES.filter((quantity) => recordings.some((recording) => recording.bodies.some((body) => has(body, quantity))));
}

/** Title, unit and factor to it for a greatest value. */
export function words(quantity: Quantity, most: number): { title: string; unit: string; factor: number } {
  if (quantity === "deflection") return { title: "Deflection", ...shown("m", most) };
  if (quantity === "curvature") return { title: "Curvature", unit: "1/m", factor: 1 };
  return { title: "Strain of the outer fibre", ...(most < 1e-3 ? { unit: "µm/m", factor: 1e6 } : { unit: "mm/m", factor: 1e3 }) };
}

/** A greatest value in words. */
export function inWords(quantity: Quantity, most: number): string {
  const { unit, factor } = words(quantity, most);
  return `${short(factor * most)} ${unit}`;
}
