// What is rounding: numbers far below the size that their unit has in this system and run.

import type { Recording } from "./recording";

/** Parts of the size of a quantity below which a number is rounding. */
export const ROUNDING = 1e-10;
/** The same of a size that follows from a time: forces and rates of slow runs are no measure of those of short ones, and that time is at least this, s. */
const BY_TIME = 1e-12;
const SHORTEST = 1;
/** Numbers of the page have 24 bits: differences of two of them are not better than this part of their size. */
export const SINGLE = 2 ** -23;

/** Powers of mass, length and time in a unit. */
const DIMENSIONS: Record<string, [number, number, number]> = {
  "1": [0, 0, 0],
  rad: [0, 0, 0],
  "rad/s": [0, 0, -1],
  "rad/s²": [0, 0, -2],
  m: [0, 1, 0],
  "m/s": [0, 1, -1],
  "m/s²": [0, 1, -2],
  N: [1, 1, -2],
  "N m": [1, 2, -2],
  J: [1, 2, -2],
  W: [1, 2, -3],
  "kg m/s": [1, 1, -1],
  "kg m²/s": [1, 2, -1],
};

/** The size of each unit by mass and extent of the system and the duration of the run. */
export class Sizes {
  private readonly natural: (unit: string) => number;
  private readonly greatest = new Map<string, number>();

  constructor(recording: Recording, duration: number) {
    const mass = recording.bodies.reduce((sum, body) => sum + body.data.mass.mass, 0);
    const extent = reach(recording);
    this.natural = (unit) => {
      const [m, l, t] = DIMENSIONS[unit] ?? [NaN, NaN, NaN];
      const size = mass ** m * extent ** l * Math.max(duration, SHORTEST) ** t;
      return Number.isFinite(size) ? size : 0;
    };
  }

  /** Takes account of a number that occurs. */
  take(unit: string, size: number): void {
    this.greatest.set(unit, Math.max(this.greatest.get(unit) ?? 0, size));
  }

  /** Below it numbers of a unit are rounding. Places and angles are so far from zero as a system happens to be: only its own size tells for them. */
  floor(unit: string): number {
    const own = this.natural(unit);
    return unit === "rad" || unit === "m" ? ROUNDING * own : Math.max(BY_TIME * own, ROUNDING * (this.greatest.get(unit) ?? 0));
  }
}

/** How far bodies reach from where the system stands, one after the other along the longest chain. */
function reach({ bodies }: Recording): number {
  const far: number[] = [];
  bodies.forEach(({ data, positions, nodes }, k) => {
    let own = Math.hypot(...data.mass.mass_centre);
    for (let n = 0; n < nodes; n++) own = Math.max(own, Math.hypot(positions[3 * n], positions[3 * n + 1], positions[3 * n + 2]));
    far[k] = own + (data.parent === null ? 0 : far[data.parent] + Math.hypot(...data.hinge.position));
  });
  return Math.max(0, ...far);
}
