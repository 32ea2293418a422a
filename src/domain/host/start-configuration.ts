import type { FileLayer } from '../config/origin.js';

/** A configuration that the user has given in starting the program, as it was read then: what becomes of its file later does not matter. */
export interface GivenText {
  /** Absolute path of its file, or the name of the flag that has it in itself. */
  readonly file: string;
  /** How users know it, such as `--settings ci.json`. */
  readonly display: string;
  readonly text: string;
}

/**
 * What the user has said about configuration in starting the program. It is their own word, so that it needs no trust and no approval, and
 * counts for this process alone: it is stored nowhere. It never loosens what the organization has set up.
 */
export interface StartConfiguration {
  /** Settings in the form of a settings file. */
  readonly settings?: GivenText;
  /** The layers whose files are read; absent: all. */
  readonly layers?: readonly FileLayer[];
  /** Lists of MCP servers in the form of `.mcp.json`. */
  readonly servers: readonly GivenText[];
  /** Whether there are no other servers than these, and those that the program brings that started this one. */
  readonly onlyTheseServers: boolean;
}
