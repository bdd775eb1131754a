// Amplitude spectrum of a curve: Hann's window, the amplitude of a sine at its frequency.

export interface Spectrum {
  /** Frequencies, Hz. */
  frequencies: number[];
  amplitudes: number[][];
}

export interface SpectralPeak {
  frequency: number;
  amplitude: number;
}

/** Most samples that are transformed. */
const MOST_SAMPLES = 8192;

/** In place, of a length that is a power of two. */
function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j], im[i], im[j]] = [re[j], re[i], im[j], im[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    const step = (-2 * Math.PI) / size;
    for (let k = 0; k < size / 2; k++) {
      const [c, s] = [Math.cos(step * k), Math.sin(step * k)];
      for (let i = k; i < n; i += size) {
        const j = i + size / 2;
        const [x, y] = [re[j] * c - im[j] * s, re[j] * s + im[j] * c];
        [re[j], im[j]] = [re[i] - x, im[i] - y];
        [re[i], im[i]] = [re[i] + x, im[i] + y];
      }
    }
  }
}

/** Values at equal intervals, in proportion between those that are there. */
function even(times: number[], values: (number | null)[], from: number, interval: number, count: number): Float64Array {
  const out = new Float64Array(count);
  let i = 0;
  for (let k = 0; k < count; k++) {
    const t = from + k * interval;
    while (i < times.length - 2 && times[i + 1] < t) i++;
    const span = times[i + 1] - times[i];
    const w = span > 0 ? Math.min(Math.max((t - times[i]) / span, 0), 1) : 0;
    out[k] = (1 - w) * (values[i] ?? 0) + w * (values[i + 1] ?? values[i] ?? 0);
  }
  return out;
}

/** Spectra of curves over a part of time, mean left out; null where too few points are in it. `thinned` curves have the extremes of rows in pairs. */
export function spectra(times: number[], curves: (number | null)[][], [from, to]: [number, number], thinned: boolean): Spectrum | null {
  const close = 1e-9 * (to - from);
  const first = times.findIndex((t) => t >= from - close);
  let last = times.length - 1;
  while (last > first && times[last] > to + close) last--;
  let points = last - first + 1;
  if (first < 0 || points < 16) return null;
  if (thinned) points = points >> 1;
  const count = Math.min(points, MOST_SAMPLES);
  const interval = (times[last] - times[first]) / (count - 1);
  if (!(interval > 0)) return null;
  let length = 1;
  while (length < 4 * count) length *= 2;
  // Pairs of extremes hide what is fast: only the lower half of the frequencies is worth a look.
  const lines = Math.floor(length / (thinned ? 4 : 2));
  const frequencies = Array.from({ length: lines }, (_, k) => k / (length * interval));
  const amplitudes = curves.map((values) => {
    const own = thinned ? values.map((x, i) => (i + 1 < values.length ? 0.5 * ((x ?? 0) + (values[i + 1] ?? 0)) : x)) : values;
    const samples = even(times, own, times[first], interval, count);
    const mean = samples.reduce((sum, x) => sum + x, 0) / count;
    const [re, im] = [new Float64Array(length), new Float64Array(length)];
    for (let k = 0; k < count; k++) re[k] = (samples[k] - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * (k + 0.5)) / count));
    transform(re, im);
    return Array.from({ length: lines }, (_, k) => (4 * Math.hypot(re[k], im[k])) / count);
  });
  return { frequencies, amplitudes };
}

/** The highest peaks of spectra that share a plot, the highest first, none nearer to another than the width of a line. */
export function peaks({ frequencies, amplitudes }: Spectrum, most: number): SpectralPeak[] {
  const found: SpectralPeak[] = [];
  const step = frequencies[1] ?? 0;
  for (const a of amplitudes) {
    for (let k = 2; k < a.length - 1; k++) {
      if (!(a[k] > a[k - 1] && a[k] >= a[k + 1])) continue;
      // The vertex of the parabola through three lines.
      const bend = a[k - 1] - 2 * a[k] + a[k + 1];
      const shift = bend < 0 ? (0.5 * (a[k - 1] - a[k + 1])) / bend : 0;
      found.push({ frequency: frequencies[k] + shift * step, amplitude: a[k] - 0.25 * (a[k - 1] - a[k + 1]) * shift });
    }
  }
  found.sort((x, y) => y.amplitude - x.amplitude);
  const least = 0.03 * (found[0]?.amplitude ?? 0);
  const kept: SpectralPeak[] = [];
  for (const one of found) {
    if (kept.length === most || one.amplitude < least) break;
    // Zero-padding by four or more spreads a line over a dozen.
    if (kept.every((other) => Math.abs(other.frequency - one.frequency) > 16 * step)) kept.push(one);
  }
  return kept;
}

/** The frequency above which nothing is to be seen. */
export function band({ frequencies, amplitudes }: Spectrum): number {
  let [most, last] = [0, 0];
  for (const a of amplitudes) for (const x of a) most = Math.max(most, x);
  for (const a of amplitudes) a.forEach((x, k) => x > 0.01 * most && k > last && (last = k));
  const top = frequencies[frequencies.length - 1];
  return Math.min(Math.max(1.25 * frequencies[last], top / 100), top);
}
