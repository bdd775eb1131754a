// Watches how fast pictures come while they move, and says how many pixels this machine can draw.

const WANTED = 1000 / 32;
const LOOKS = 12;
const LEAST = 0.5;

export class Pace {
  private last = 0;
  private times: number[] = [];
  private share = 1;

  /** The share of pixels for the next picture. */
  next(now: number, moving: boolean): number {
    if (!moving) {
      this.last = 0;
      this.times = [];
      return 1;
    }
    if (this.last > 0) this.times.push(now - this.last);
    this.last = now;
    if (this.times.length === LOOKS) {
      const middle = this.times.sort((a, b) => a - b)[LOOKS / 2];
      this.times = [];
      if (middle > WANTED) this.share = Math.max(LEAST, this.share * Math.max(0.7, Math.sqrt(WANTED / middle)));
    }
    return this.share;
  }
}
