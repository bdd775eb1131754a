// Arrays of numbers from base64, and numbers as people read them.

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const out = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) out[i] = letters.charCodeAt(i);
  return out;
}

export function singles(text: string): Float32Array {
  return new Float32Array(bytes(text).buffer);
}

export function doubles(text: string): Float64Array {
  return new Float64Array(bytes(text).buffer);
}

export function shorts(text: string): Uint16Array {
  return new Uint16Array(bytes(text).buffer);
}

/** Four digits, a power of ten where it saves room. */
export function short(x: number | null | undefined): string {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e5) return String(Number(x.toPrecision(4)));
  const [digits, power] = x.toExponential(3).split("e");
  return `${Number(digits)}e${Number(power)}`;
}
