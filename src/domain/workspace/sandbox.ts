/** Whether the operating system can confine a command that runs without approval to reading. */
export type SandboxState =
  /** `by` is the common name of the sandbox program. */
  | { readonly available: true; readonly by: string }
  /** `reason` is a sentence for the user, `advice` one that says how to get a sandbox where that is possible. */
  | { readonly available: false; readonly reason: string; readonly advice?: string };

/** Permissions of a command in the sandbox, beside reading the workspace and the system. */
export interface Confinement {
  /** Absolute paths, links resolved, of what it names and rules of the user allow it to read. */
  readonly readable: readonly string[];
  /**
   * For what the user allowed: it may change the workspace, temporary files and caches, and reach these hosts, such as
   * `example.com`, `*.example.com` for those below it, or `*` for all. Left out: it changes nothing and has no network.
   */
  readonly work?: { readonly hosts: readonly string[] };
}

/** The user's sandbox settings, beyond confining what runs without approval. */
export interface SandboxChoices {
  /** Whether it confines commands that were allowed as well. */
  readonly allowed: boolean;
  /** Whether confined commands run without approval; they then change nothing and have no network. */
  readonly unasked: boolean;
  /** Hosts that allowed commands may reach, see {@link Confinement.work}. */
  readonly hosts: readonly string[];
}

/** The sandbox of this machine, as permission and the chat see it. */
export interface SandboxPort {
  /** Found out by trying, once; a machine without one is looked at again after a while. Never throws. */
  state(): Promise<SandboxState>;
  /** As the settings say now. */
  choices(): SandboxChoices;
}
