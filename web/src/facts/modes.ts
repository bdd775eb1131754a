// Modes of flexible bodies: a table each, with shapes that move.

import type { Body } from "../data/recording";
import { short } from "../data/numbers";
import type { ModeRow } from "../data/types";
import { rotationVector } from "../data/kinematics";
import { element } from "../page/element";
import { Quaternion, Vector3 } from "three";

const DIRECTIONS = ["about x", "about y", "about z", "along x", "along y", "along z"];
const [WIDTH, HEIGHT] = [150, 64];

/** A small moving picture of a mode, in a view from the side and above. */
class Thumbnail {
  readonly canvas = element("canvas", { width: String(2 * WIDTH), height: String(2 * HEIGHT), class: "shape" });
  private readonly rails: [Vector3, Vector3, number][] = [];
  private readonly project: (p: Vector3) => [number, number];
  private readonly factor: number;

  constructor(
    private readonly body: Body,
    private readonly row: ModeRow,
  ) {
    const at = (n: number) => new Vector3().fromArray(body.positions, 3 * n);
    const order = body.data.line ?? Array.from({ length: body.nodes }, (_, n) => n);
    let [length, moves, turns] = [0, 0, 0];
    const first = at(order[0] ?? 0);
    for (const n of order) {
      length = Math.max(length, at(n).distanceTo(first));
      const [theta, u] = this.motion(n);
      moves = Math.max(moves, u.length());
      turns = Math.max(turns, theta.length());
    }
    const axis = at(order[order.length - 1] ?? 0).sub(first);
    const along = axis.length() > 0 ? axis.normalize() : new Vector3(1, 0, 0);
    const helper = Math.abs(along.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(0, 1, 0);
    const across = helper.clone().cross(along).normalize();
    const over = along.clone().cross(across);
    const wide = 0.09 * (length || 1);
    for (const n of order) this.rails.push([at(n).sub(first), across.clone().multiplyScalar(body.data.line ? wide : 0), n]);
    // Large enough to be seen: displacements a fifth of the length, rotations that lift the edges of the ribbon.
    this.factor = Math.min(moves > 0 ? (0.2 * length) / moves : Infinity, turns > 0 ? 1.1 / turns : Infinity);
    if (!Number.isFinite(this.factor)) this.factor = 0;
    const scale = (WIDTH - 26) / (1.18 * (length || 1));
    this.project = (p) => {
      const [x, y, z] = [p.dot(along), p.dot(across), p.dot(over)];
      return [12 + scale * (x + 0.5 * y), HEIGHT / 2 - scale * (0.95 * z + 0.55 * y)];
    };
  }

  /** Rotation and displacement of a node per unit of the mode. */
  private motion(node: number): [Vector3, Vector3] {
    const u = [0, 0, 0, 0, 0, 0];
    this.row.coefficients.forEach((c, r) => {
      const at = 6 * (node * this.body.columns + r);
      for (let i = 0; i < 6; i++) u[i] += c * this.body.influence[at + i];
    });
    return [new Vector3(u[0], u[1], u[2]), new Vector3(u[3], u[4], u[5])];
  }

  draw(phase: number, ink: string, faint: string): void {
    const g = this.canvas.getContext("2d");
    if (g === null) return;
    g.setTransform(2, 0, 0, 2, 0, 0);
    g.clearRect(0, 0, WIDTH, HEIGHT);
    for (const [amplitude, stroke] of [[0, faint], [this.factor * Math.sin(phase), ink]] as const) {
      const turn = new Quaternion();
      const ends = this.rails.map(([place, across, n]) => {
        const [theta, u] = this.motion(n);
        theta.multiplyScalar(amplitude);
        rotationVector(theta.x, theta.y, theta.z, turn);
        const centre = u.multiplyScalar(amplitude).add(place);
        return [1, -1].map((s) => this.project(across.clone().multiplyScalar(s).applyQuaternion(turn).add(centre)));
      });
      g.strokeStyle = stroke;
      g.lineWidth = 1.2;
      g.beginPath();
      if (this.body.data.line !== null) {
        for (const s of [0, 1]) ends.forEach((end, i) => (i === 0 ? g.moveTo(...end[s]) : g.lineTo(...end[s])));
        const every = Math.max(1, Math.round(ends.length / 14));
        ends.forEach((end, i) => {
          if (i % every !== 0 && i !== ends.length - 1) return;
          g.moveTo(...end[0]);
          g.lineTo(...end[1]);
        });
      } else {
        for (const [a, b] of this.body.data.edges) {
          g.moveTo(...ends[a][0]);
          g.lineTo(...ends[b][0]);
        }
      }
      g.stroke();
    }
  }
}

export class Modes {
  readonly node = element("div", { class: "modes" });
  private readonly thumbnails: Thumbnail[] = [];

  constructor(bodies: Body[], show: (body: number, mode: number) => void) {
    bodies.forEach((body, k) => {
      const table = body.data.mode_table;
      if (table === null) return;
      const byFrequency = table.rows.map((_, r) => r).sort((a, b) => (table.rows[a].hertz ?? Infinity) - (table.rows[b].hertz ?? Infinity));
      const rows = byFrequency.map((r) => {
        const row = table.rows[r];
        const thumbnail = new Thumbnail(body, row);
        this.thumbnails.push(thumbnail);
        const most = row.percent.reduce((best, p, d) => (p > row.percent[best] ? d : best), 0);
        return element(
          "tr",
          {},
          element("td", {}, String(r + 1)),
          element("td", {}, element("button", { type: "button", class: "shape-button", title: "Show in the view", "aria-label": `Show mode ${r + 1} of ${body.name} in the view`, click: () => show(k, r) }, thumbnail.canvas)),
          element("td", { class: "number" }, row.hertz === null ? "∞" : short(row.hertz)),
          element("td", { class: "number" }, row.damping_ratio === null ? "–" : `${short(100 * row.damping_ratio)} %`),
          element("td", {}, row.motion),
          element("td", {}, row.percent[most] > 0.05 ? `${row.percent[most].toFixed(1)} % ${DIRECTIONS[most]}` : "none"),
        );
      });
      this.node.append(
        element(
          "article",
          { class: "mode-body" },
          element("h3", {}, body.name),
          element("p", { class: "quiet" }, body.data.terms),
          table.turned && element("p", { class: "quiet" }, "The modes are coupled; their eigenmodes are shown."),
          element(
            "div",
            { class: "scroll" },
            element(
              "table",
              {},
              element("thead", {}, element("tr", {}, ...[table.turned ? "" : "Coordinate", "Shape", "Hz", "Damping", "Moves", "Max effective mass"].map((text) => element("th", {}, text)))),
              element("tbody", {}, ...rows),
            ),
          ),
          ...(table.notes ?? []).map((text) => element("p", { class: "quiet" }, text)),
          table.warnings.length > 0 && element("ul", { class: "warnings" }, ...table.warnings.map((text) => element("li", {}, text))),
        ),
      );
    });
    if (this.node.childElementCount === 0) this.node.append(element("p", { class: "quiet" }, "No flexible bodies."));
  }

  private drawn = false;

  /** Draws the shapes that can be seen, and all of them the first time. */
  draw(now: number): void {
    if (this.thumbnails.length === 0) return;
    const style = getComputedStyle(document.documentElement);
    const [ink, faint] = [style.getPropertyValue("--accent"), style.getPropertyValue("--faint")];
    for (const thumbnail of this.thumbnails) {
      const { top, bottom } = thumbnail.canvas.getBoundingClientRect();
      if (!this.drawn || (bottom > 0 && top < window.innerHeight)) thumbnail.draw((now / 1000) * 2.2 + (this.drawn ? 0 : 1), ink, faint);
    }
    this.drawn = true;
  }
}
