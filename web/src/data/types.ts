// What a page is given: the JSON that supple-report writes. Arrays of numbers are base64 of little-endian bytes.

export interface PageData {
  format: string;
  kind: "report" | "compare" | "live" | "model";
  supple: string;
  /** The row that the page of a run that goes on asks from. */
  next: number | null;
  runs: RunData[];
}

export interface RunData {
  label: string;
  summary: Summary;
  recording: { scene: SceneData; motion: MotionData; origin: Origin; loops?: LoopData[]; modes?: SystemModeData[]; modes_about?: ModesAbout };
  table: TableData;
  /** What happened, in words; none of runs that go on, and of older ones. */
  answers?: Answer[];
  /** Damping ratios of the system as it is driven, in words. */
  damping?: string[];
}

export interface Answer {
  topic: string;
  headline: string;
  detail: string;
  tone: "plain" | "good" | "fair" | "bad";
}

/** A hinge under control: names of columns, where they may be recorded. */
export interface LoopData {
  controller: string;
  kind: string;
  hinge: string;
  unit: string;
  /** A column, or a constant; none where it has no reference. */
  reference: string | number | null;
  /** The coordinate of the hinge. */
  measured: string;
  /** What the controller asks for, and what acts in the hinge. */
  effort: string;
  force: string;
  effort_unit: string;
  limit: number | null;
  /** Estimates of an observer with what they estimate. */
  estimates: [string, string][];
}

/** What system modes are about: the state in words, the command that finds them, or why there are none. */
export interface ModesAbout {
  state: string;
  command?: string | null;
  none?: string | null;
}

/** A mode of the whole system: frames of one period. */
export interface SystemModeData {
  frequency: number;
  damping_ratio: number;
  /** Bodies with most of the kinetic energy, and with most of the strain energy; older recordings have no strain. */
  members: string;
  strained?: string;
  motion: MotionData;
}

export interface MotionData {
  stride: number;
  last: number | null;
  times: string;
  frames: string;
}

export interface Origin {
  command: string;
  files: { name: string; text: string | null }[];
}

export interface SceneData {
  name: string;
  gravity: Triple;
  elastic_rotation: string;
  inertia_convention: string;
  carried_by_deformation: boolean;
  bodies: BodyData[];
  /** Older recordings have none. */
  closures?: ClosureData[];
  meshes?: MeshData[];
  notes: string[];
}

export interface ClosureData {
  name: string;
  kind: string;
  equations: number;
  joins: string[];
  /** Its two frames; none where it couples hinges. */
  frames: [FrameData, FrameData] | null;
  /** Whether the origins of its frames coincide where it is closed. */
  meets: boolean;
}

export interface FrameData {
  body: number | null;
  node: number;
  position: Triple;
}

export type Triple = [number, number, number];

export interface BodyData {
  name: string;
  parent: number | null;
  carrier: number | null;
  inboard: number;
  hinge: { name: string; kind: string; axes: Triple[]; position: Triple; elements: string[] };
  mass: { mass: number; mass_centre: Triple; inertia: [Triple, Triple, Triple] };
  solid: Solid | null;
  node_count: number;
  node_names: string[];
  positions: string;
  modes: number;
  second_order: [number, number, number][][];
  influence: string;
  line: number[] | null;
  /** Stretch and curvatures per node of the line and mode; older recordings have none. */
  strain?: { shapes: string; fibres: Fibres | null } | null;
  edges: [number, number][];
  /** Cross-sections along the line; older recordings have none, here and below. */
  section?: SectionData;
  panel?: Triple[];
  connectors?: { node: number; to: Triple }[];
  shapes?: ShapeData[];
  terms: string;
  mode_table: ModeTable | null;
}

/** Per node of the line: half its size along y and along z, and its rotation about the line; sizes are zero where there is no beam. */
export interface SectionData {
  round: boolean;
  across: [Triple, Triple];
  sizes: string;
}

/** A shape fixed to a body, or to one of its nodes. */
export interface ShapeData {
  form: ShapeForm;
  node: number | null;
  position: Triple;
  attitude: [number, number, number, number];
  colour: [number, number, number, number] | null;
}

export type ShapeForm =
  | { kind: "box"; sides: Triple }
  | { kind: "cylinder"; radius: number; length: number }
  | { kind: "capsule"; radius: number; length: number }
  | { kind: "ellipsoid"; radii: Triple }
  | { kind: "mesh"; mesh: number };

/** Triangles that shapes share: places in steps from a corner, colours as bytes. */
export interface MeshData {
  file: string;
  corner: Triple;
  step: Triple;
  vertices: string;
  triangles: string;
  colours: string;
}

/** Where the fibres of a section are that are farthest from its axis. */
export type Fibres = { kind: "round"; radius: number } | { kind: "corners"; y: number; z: number };

export interface Solid {
  form: { kind: "cylinder"; radius: number; length: number } | { kind: "box"; sides: Triple } | { kind: "ball"; radius: number };
  centre: Triple;
  axes: [Triple, Triple, Triple];
}

export interface ModeTable {
  turned: boolean;
  rows: ModeRow[];
  /** Older recordings have none. */
  notes?: string[];
  warnings: string[];
}

export interface ModeRow {
  hertz: number | null;
  damping_ratio: number | null;
  modal_mass: number;
  percent: number[];
  motion: string;
  coefficients: number[];
}

export interface Column {
  name: string;
  unit: string;
  description: string;
}

export interface TableData {
  columns: Column[];
  left_out: number;
  rows: number;
  rows_per_bin: number;
  times: string;
  values: string;
}

export interface Summary {
  supple: string;
  model: string;
  scenario: string;
  outcome: { state: string; reason?: string };
  start_time: number;
  end_time: number;
  wall_time: number | null;
  real_time_factor: number | null;
  integrator: { name: string; relative_tolerance: number | null; absolute_tolerance: number | null; step: number | null };
  statistics: { accepted_steps: number; rejected_steps: number; evaluations: number };
  ledger: Record<string, number | null> | null;
  momentum: { linear: Triple; angular: Triple; linear_drift: number | null; angular_drift: number | null } | null;
  events: { time: number; name: string; actions?: { closure: string; kind: string; closing_speed?: number; energy_lost?: number }[] }[];
  events_not_listed: number;
  story?: Story | null;
  physics: { formulation: string; elastic_rotation: string; inertia: string; bodies: { body: string; modes: number; terms: string }[] };
  warnings: string[];
  files: { name: string; rows: number }[];
}

/** What happened, as far as the page draws it; in words it is in the answers. */
export interface Story {
  motion_end: number | null;
  /** Greatest energy that was turned over, J. */
  energy: number;
  motors: { hinge: string; unit: string; peak: number; time: number; rms: number; limit: number | null; seconds_beyond: number; prescribed: boolean }[];
  tracking: { hinge: string; unit: string; reference: string; greatest: number; time: number; at_end: number; settling_time: number | null }[];
  deflections: {
    body: string;
    node: string;
    whole_arm: boolean;
    peak: number;
    time: number;
    residual: { span: [number, number]; amplitude: number; vibrations: { frequency: number; damping_ratio: number; amplitude: number }[]; not_told?: string; settling_time: number | null } | null;
  }[];
}
