// The 3D view: a renderer, a camera that the user turns, light, a grid, and a system in motion.

import { AmbientLight, DirectionalLight, GridHelper, Group, HemisphereLight, PerspectiveCamera, Quaternion, Scene, Sphere, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { short } from "../data/numbers";
import type { Greatest } from "../data/quantity";
import type { Recording } from "../data/recording";
import { told } from "../data/units";
import { Paths } from "./paths";
import { bounds } from "./size";
import { type Look, System } from "./system";

export interface StageLook extends Look {
  paths: boolean;
  names: boolean;
  follow: boolean;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly system: System;
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  readonly sphere = new Sphere();
  private points: Vector3[];
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly paths: Paths;
  private readonly grid = new Group();
  private readonly up: Vector3;
  private readonly labels: HTMLElement[] = [];
  private readonly size = document.createElement("div");
  /** Side of a square of the grid, m. */
  private square = 0;
  private readonly followed = new Vector3();
  private quality = 1;
  private pathScale = NaN;
  private pathCount = 0;
  /** Whether something changed since the last picture. */
  dirty = true;

  constructor(
    private readonly frame: HTMLElement,
    recording: Recording,
    greatest: Greatest,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Animated view of ${recording.scene.name}`);
    frame.append(this.canvas);
    const { box, points } = bounds(recording);
    this.points = points;
    box.getBoundingSphere(this.sphere);
    const size = 2 * this.sphere.radius;
    const g = new Vector3().fromArray(recording.scene.gravity);
    this.up = g.length() > 0 ? g.negate().normalize() : new Vector3(0, 0, 1);
    this.camera = new PerspectiveCamera(35, 1, size / 1000, size * 100);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => (this.dirty = true));
    this.system = new System(recording, size, greatest);
    this.paths = new Paths(recording);
    this.scene.add(this.system.group, this.paths.group, this.grid);
    this.lights();
    this.floor(box.min.clone(), box.max.clone(), size);
    recording.bodies.forEach((body) => {
      const label = document.createElement("span");
      label.className = "body-label";
      label.textContent = body.name;
      this.labels.push(label);
      frame.append(label);
    });
    this.size.className = "size-note";
    frame.append(this.size);
    this.look("fit");
    new ResizeObserver(() => this.resize()).observe(frame);
    this.resize();
  }

  private lights(): void {
    this.scene.add(new AmbientLight(0xffffff, 0.55), new HemisphereLight(0xffffff, 0x8090a8, 0.9));
    const sun = new DirectionalLight(0xffffff, 2.1);
    // From over the viewer's shoulder, wherever the viewer is.
    this.camera.add(sun);
    sun.position.set(0.6, 1, 0.8);
    this.scene.add(this.camera);
  }

  /** A grid below everything, in round steps. */
  private floor(low: Vector3, high: Vector3, size: number): void {
    const raw = size / 10;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = ([1, 2, 5, 10].find((x) => x * power >= raw) ?? 10) * power;
    this.square = step;
    const cells = 2 * Math.ceil((0.75 * size) / step);
    const grid = new GridHelper(cells * step, cells, 0x8896a8, 0x8896a8);
    grid.material.transparent = true;
    grid.material.opacity = 0.28;
    grid.material.depthWrite = false;
    const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    grid.quaternion.copy(turn);
    const corners = [low, high].map((corner) => corner.dot(this.up));
    const centre = this.sphere.center.clone();
    const below = Math.min(...corners) - 0.04 * size - centre.dot(this.up);
    grid.position.copy(centre).addScaledVector(this.up, below);
    this.grid.add(grid);
  }

  /** Looks at the whole motion as it is drawn with a scale of the deformation. */
  fitTo(scale: number): void {
    this.points = bounds(this.system.recording, scale).points;
    this.look("fit");
  }

  /** Turns the camera: `fit` as at the start, or along an axis of inertial space. */
  look(view: "fit" | "x" | "y" | "z"): void {
    const { center, radius } = this.sphere;
    const sideways = Math.abs(this.up.z) > 0.9 ? new Vector3(-0.55, -1, 0.55) : new Vector3(0.55, 0, 1).addScaledVector(this.up, 0.5);
    const directions = { fit: sideways, x: new Vector3(1, 0, 0), y: new Vector3(0, -1, 0), z: new Vector3(0, 0, 1) };
    const direction = directions[view].normalize();
    // Looking along the vertical, the camera needs another up.
    const level = Math.abs(direction.dot(this.up)) > 0.999;
    this.camera.up.copy(this.up);
    if (level) direction.addScaledVector(new Vector3(1, 0, 0).cross(this.up).lengthSq() > 0.1 ? new Vector3(1, 0, 0).cross(this.up) : new Vector3(0, 1, 0), 0.001);
    direction.normalize();
    const target = center.clone();
    let distance = radius;
    // Whatever the direction, the motion goes to the middle of the picture.
    for (let i = 0; i < 4; i++) distance = this.frameMotion(direction, target, distance);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.target.copy(target);
    this.controls.update();
    this.dirty = true;
  }

  /** How far away the camera must be for all points of the motion to be in the picture; moves the target to their middle. */
  private frameMotion(direction: Vector3, target: Vector3, distance: number): number {
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.camera.lookAt(target);
    const back = this.camera.quaternion.clone().conjugate();
    const tall = Math.tan((this.camera.fov * Math.PI) / 360) * 0.84;
    const wide = tall * this.camera.aspect;
    let far = 0.2 * this.sphere.radius;
    const [seen, low, high] = [new Vector3(), new Vector3(Infinity, Infinity, 0), new Vector3(-Infinity, -Infinity, 0)];
    for (const point of this.points) {
      seen.copy(point).sub(target).applyQuaternion(back);
      far = Math.max(far, seen.z + Math.abs(seen.x) / wide, seen.z + Math.abs(seen.y) / tall);
    }
    for (const point of this.points) {
      seen.copy(point).sub(target).applyQuaternion(back);
      // In the plane of the target, as the eye sees them from there.
      seen.multiplyScalar(far / Math.max(far - seen.z, 1e-3 * far)).setZ(0);
      low.min(seen);
      high.max(seen);
    }
    target.add(low.add(high).multiplyScalar(0.5).setZ(0).applyQuaternion(this.camera.quaternion));
    return far;
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.frame;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    const first = this.camera.aspect === 1;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (first) this.look("fit");
    this.dirty = true;
  }

  draw(time: number, look: StageLook, from?: Recording): void {
    this.system.update(time, look, from);
    this.paths.group.visible = look.paths && look.mode === null;
    const { count } = this.system.recording;
    if (this.paths.group.visible && (this.pathScale !== look.scale || this.pathCount !== count)) {
      this.pathScale = look.scale;
      this.pathCount = count;
      this.paths.update(look.scale);
    }
    if (look.follow) this.follow();
    this.renderer.render(this.scene, this.camera);
    this.name(look.names);
    this.size.textContent = this.words(look, from);
    this.dirty = false;
  }

  /** How large things are, and how much larger the deformation is drawn. */
  words(look: StageLook, from?: Recording): string {
    const squares = `Grid squares ${told(this.square, "m")}`;
    const plain = look.mode !== null || from !== undefined || look.scale === 1 || !this.system.isFlexible;
    return plain ? squares : `${squares}; ${look.scale === 0 ? "without deformation" : `deformation ${short(look.scale)} times as large`}`;
  }

  /** Moves camera and target with the mean of the bodies. */
  private follow(): void {
    const mean = new Vector3();
    const place = new Vector3();
    const count = this.system.recording.bodies.length;
    for (let k = 0; k < count; k++) mean.addScaledVector(this.system.place(k, place), 1 / count);
    const moved = mean.clone().sub(this.followed);
    if (this.followed.lengthSq() > 0) {
      this.camera.position.add(moved);
      this.controls.target.add(moved);
    }
    this.followed.copy(mean);
  }

  private name(shown: boolean): void {
    const place = new Vector3();
    this.labels.forEach((label, k) => {
      if (!shown) {
        label.style.display = "none";
        return;
      }
      this.system.place(k, place).project(this.camera);
      label.style.display = Math.abs(place.z) < 1 ? "block" : "none";
      label.style.left = `${((place.x + 1) / 2) * this.frame.clientWidth}px`;
      label.style.top = `${((1 - place.y) / 2) * this.frame.clientHeight}px`;
    });
  }

  /** Fewer pixels while the picture moves too slowly on this machine; all of them when it stands. */
  setQuality(share: number): void {
    if (share === this.quality) return;
    this.quality = share;
    this.renderer.setPixelRatio(share * Math.min(window.devicePixelRatio, 2));
    this.dirty = true;
  }

  setDark(dark: boolean): void {
    this.system.setDark(dark);
    this.dirty = true;
  }
}
