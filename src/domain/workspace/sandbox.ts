/** Whether the operating system can hold a command that runs without a question, so that reading is all that it can do. */
export type SandboxState =
  /** `by` is the program that holds it, as people know it. */
  | { readonly available: true; readonly by: string }
  /** `reason` is a sentence for the user, `advice` one that says how to get a sandbox where that is possible. */
  | { readonly available: false; readonly reason: string; readonly advice?: string };

/** What a command in the sandbox may do beside reading the workspace and the system. */
export interface Confinement {
  /** Absolute paths, links resolved, of what it names and rules of the user allow it to read. */
  readonly readable: readonly string[];
  /**
   * For what the user allowed: it may change the workspace, temporary files and caches, and reach these hosts, such as
   * `example.com`, `*.example.com` for those below it, or `*` for all. Left out: it changes nothing and has no network.
   */
  readonly work?: { readonly hosts: readonly string[] };
}

/** What the user wants of the sandbox, beyond that it holds what runs without a question. */
export interface SandboxChoices {
  /** Whether it holds commands that were allowed as well. */
  readonly allowed: boolean;
  /** Whether commands that it holds run without a question; they then change nothing and have no network. */
  readonly unasked: boolean;
  /** What allowed commands may reach, see {@link Confinement.work}. */
  readonly hosts: readonly string[];
}

/** The sandbox of this machine, as permission and the chat see it. */
export interface SandboxPort {
  /** Found out by trying, once; a machine without one is looked at again after a while. Never throws. */
  state(): Promise<SandboxState>;
  /** As the settings say now. */
  choices(): SandboxChoices;
}
