/** A problem of a scenario. */
export interface Diagnostic {
  code: string;
  severity: "error" | "warning" | "note";
  message: string;
  /** Bytes of the text, as UTF-8. */
  span: [start: number, end: number];
  help?: string;
}

export interface CheckAnswer {
  /** Whether the scenario can run. */
  ok: boolean;
  diagnostics: Diagnostic[];
}

/** The final state, as `lanewise run --json` prints it. */
export interface RunAnswer {
  ok: true;
  [part: string]: unknown;
}

/** Bytes: an `ArrayBuffer`, or a view such as a `Float32Array`. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/**
 * A buffer with its initial bytes, the bytes of a number, the size of local memory, or a NULL
 * pointer.
 */
export type Argument = { buffer: Bytes } | { scalar: Bytes } | { local: number } | { null: true };

export interface Launch {
  /** May be left out if there is only one. */
  kernel?: string;
  /** Work-items in all, in one to three dimensions. */
  global: number[];
  /** Work-items of a work-group. */
  local: number[];
  /** Global ID of the first work-item. */
  offset?: number[];
  /** In the order of the kernel. */
  args?: Argument[];
  /** Instructions after which a work-group is stopped, at most 100,000,000. Default: 1,000,000. */
  fuel?: number;
}

export interface LaunchAnswer {
  /** The launch ran; with a fault, up to it. */
  ok: true;
  fault: {
    kind: string;
    message: string;
    /** File and line of the source, if the program names them. */
    file: string | null;
    line: number | null;
    /** Line of the program, and its instruction. */
    visa_line: number;
    instruction: string;
    /** Text of the line of the source, if the source is found. */
    source: string | null;
  } | null;
  instructions: number;
  /** Bytes of each buffer after the launch, by index of its argument. */
  buffers: Record<number, Uint8Array>;
  /** What printf wrote. */
  stdout?: string;
  printf?: string[];
}

/** Checks a scenario. */
export function check(scenario: string): CheckAnswer;

/** Runs a scenario. */
export function run(scenario: string): RunAnswer | CheckAnswer;

/**
 * Lists the kernels of a compiled program, or the functions of a listing.
 * @throws if the file cannot be opened
 */
export function open(name: string, bytes: Uint8Array): { Scenario: string } | { Outline: unknown };

/**
 * Runs a kernel of a compiled program (`.bin` of ocloc).
 * @throws if the program cannot be opened
 */
export function launch(program: Uint8Array, launch: Launch): LaunchAnswer | CheckAnswer;
