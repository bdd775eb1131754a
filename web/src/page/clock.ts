// The time shown: playing, speed, seeking. Everything that shows time listens.

export class Clock {
  time: number;
  speed = 1;
  playing = false;
  loop = true;
  /** Told when the user takes the time into the own hands. */
  onUser: () => void = () => {};
  private last = 0;
  private readonly listeners: ((time: number) => void)[] = [];

  constructor(
    public start: number,
    public end: number,
  ) {
    this.time = start;
  }

  listen(listener: (time: number) => void): void {
    this.listeners.push(listener);
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.listeners.forEach((listener) => listener(this.time));
  }

  /** Goes to a time as the user asks. */
  take(time: number): void {
    this.onUser();
    this.seek(time);
  }

  toggle(): void {
    this.onUser();
    this.playing = !this.playing && this.end > this.start;
    if (this.playing && this.time >= this.end) this.time = this.start;
    this.last = 0;
    this.seek(this.time);
  }

  /** Goes on by the time that has passed, at `now` milliseconds. */
  tick(now: number): void {
    const passed = this.last > 0 ? Math.min((now - this.last) / 1000, 0.25) : 0;
    this.last = now;
    if (!this.playing) return;
    let next = this.time + this.speed * passed;
    if (next > this.end) {
      if (this.loop) next = this.start;
      else this.playing = false;
    }
    this.seek(next);
  }
}
