/** Whether the operating system can hold a command that runs without a question, so that reading is all that it can do. */
export type SandboxState =
  /** `by` is the program that holds it, as people know it. */
  | { readonly available: true; readonly by: string }
  /** `reason` is a sentence for the person, `advice` one that says how to get a sandbox where that is possible. */
  | { readonly available: false; readonly reason: string; readonly advice?: string };

/** What a command in the sandbox may read beside the workspace and the system. */
export interface Confinement {
  /** Absolute paths, links resolved, of what it names and rules of the person allow it to read. */
  readonly readable: readonly string[];
}

/** The sandbox of this machine, as permission and the chat see it. */
export interface SandboxPort {
  /** Found out by trying, once; a machine without one is looked at again after a while. Never throws. */
  state(): Promise<SandboxState>;
}
