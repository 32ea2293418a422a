/** A server's program, and where it starts. */
export interface McpProcessStart {
  /** A program, by name or by path; never a command line. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables beside the few that every server gets. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of an existing folder. */
  readonly cwd: string;
}

/** Exit of a process. */
export interface McpProcessEnd {
  readonly code: number | null;
  /** Such as `SIGKILL`. */
  readonly signal: string | null;
}

/** Output and exit events of a process. */
export interface McpProcessEvents {
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
  /** Called once, after what it wrote; others of its group may still be ending. */
  readonly ended: (end: McpProcessEnd) => void;
}

/** A server's process. */
export interface McpProcess {
  /** Writes to its standard input; resolves when the system took it. Rejects when it does not read any more. */
  write(text: string): Promise<void>;
  /** Closes its input, and ends it and everything it started; resolves when all are gone. Never rejects. */
  end(): Promise<void>;
}

/** Starts the process of a server. Rejects with the error of the system when there is no such program or folder. */
export type StartMcpProcess = (start: McpProcessStart, events: McpProcessEvents) => Promise<McpProcess>;
