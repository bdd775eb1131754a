// The recorded columns of a run, which may grow while it goes on.

import type { Column, TableData } from "./types";
import { doubles, singles } from "./numbers";

export class Table {
  readonly columns: Column[];
  times: number[];
  values: number[][];

  constructor(readonly data: TableData) {
    this.columns = data.columns;
    this.times = Array.from(doubles(data.times));
    const all = singles(data.values);
    const n = this.times.length;
    this.values = data.columns.map((_, c) => Array.from(all.subarray(c * n, (c + 1) * n)));
  }

  push(time: number, row: ArrayLike<number>): void {
    if (this.times.length > 0 && time <= this.times[this.times.length - 1]) return;
    this.times.push(time);
    this.values.forEach((column, c) => column.push(row[c]));
  }

  /** Values of a column at other times, in proportion; nothing outside of the times recorded. */
  at(column: number, times: number[]): (number | null)[] {
    const [own, values] = [this.times, this.values[column]];
    let i = 0;
    return times.map((t) => {
      if (own.length === 0 || t < own[0] || t > own[own.length - 1]) return null;
      while (i < own.length - 2 && own[i + 1] < t) i++;
      const span = own[i + 1] - own[i];
      const w = span > 0 ? (t - own[i]) / span : 0;
      return (1 - w) * values[i] + w * (values[i + 1] ?? values[i]);
    });
  }
}
