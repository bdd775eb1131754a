// Colours: deflection from blue-violet over green to yellow, and one colour per kind of part.

import { Color } from "three";

/** Anchors of a scale whose lightness rises evenly, also for people with colour-blindness. */
const SCALE = ["#5b4fc7", "#3277c4", "#1f9e9b", "#55c667", "#c8dd3f", "#fde725"].map((hex) => new Color(hex));

export function ofShare(share: number, out: Color): Color {
  const at = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
  const i = Math.min(Math.floor(at), SCALE.length - 2);
  return out.copy(SCALE[i]).lerp(SCALE[i + 1], at - i);
}

export const gradient = `linear-gradient(to right, ${SCALE.map((colour) => `#${colour.getHexString()}`).join(", ")})`;

export const PARTS = {
  flexible: new Color("#4f7fd0"),
  rigid: [0x8ea3bd, 0xa6b4c6, 0x7f95b2, 0x9aa9bf].map((hex) => new Color(hex)),
  hinge: new Color("#e8833a"),
  closure: new Color("#d1495b"),
  ground: new Color("#5b6675"),
  ghost: new Color("#9aa7b8"),
  path: [0xe8833a, 0x2fa58c, 0xb25fc9, 0x3f86e0, 0xd1495b].map((hex) => new Color(hex)),
};
