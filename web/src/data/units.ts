// Quantities as people read them: angles in degrees, short lengths in mm, as in the answers at the top of the page. Files have SI units.

import { short } from "./numbers";

/** A unit that is shown, and the factor to it from SI. */
export interface Shown {
  unit: string;
  factor: number;
}

/** Angles below this are told in µrad, rad. */
const SMALL_ANGLE = 1e-4;
/** Angles above this are told in turns, rad. */
const LARGE_ANGLE = 6 * Math.PI;
const DEGREE = 180 / Math.PI;

/** The unit for numbers in an SI unit whose sizes are at most `greatest`, and of which the smallest that is not zero reaches `least`. */
export function shown(unit: string, greatest: number, least = greatest): Shown {
  const rate = /^rad(\/s.*)?$/.exec(unit);
  if (rate !== null) {
    const after = rate[1] ?? "";
    if (after === "" && least > LARGE_ANGLE) return { unit: "turns", factor: 1 / (2 * Math.PI) };
    if (greatest > 0 && greatest < SMALL_ANGLE) return { unit: `µrad${after}`, factor: 1e6 };
    return { unit: `°${after}`, factor: DEGREE };
  }
  if (unit === "m" && greatest >= 1e-9 && greatest < 0.9995) return greatest < 1e-4 ? { unit: "µm", factor: 1e6 } : { unit: "mm", factor: 1e3 };
  if (["N", "N m", "J", "W"].includes(unit) && greatest >= 1e3) return { unit: `k${unit}`, factor: 1e-3 };
  return { unit, factor: 1 };
}

/** A number with its unit; the sign of degrees stands at it. */
export function withUnit(text: string, unit: string): string {
  return unit === "1" || unit === "" ? text : unit.startsWith("°") ? `${text}${unit}` : `${text} ${unit}`;
}

/** A number in an SI unit in words: three digits. */
export function told(x: number | null | undefined, unit: string): string {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  const { unit: own, factor } = shown(unit, Math.abs(x));
  return withUnit(short(Number((factor * x).toPrecision(3))), own);
}
