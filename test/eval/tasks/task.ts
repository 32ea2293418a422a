import type { Check } from './checks.js';
import type { Changes, Files } from './files.js';

/** A coding task in a small workspace of its own, with a check that looks at what came of it. */
export interface EvalTask {
  readonly name: string;
  /** What the user asks for. */
  readonly prompt: string;
  /** The workspace that it starts from. */
  readonly files: Files;
  /** Present when the workspace is a Git repository with `files` as its one commit; these changes are the user's own, not committed. */
  readonly uncommitted?: Files;
  /** Whether its commands must reach each other over this machine's network, such as a server that the agent starts. */
  readonly network?: true;
  readonly check: Check;
  /** Work that solves it. */
  readonly solution: Work;
  /** Other work that solves it, where a check could be too narrow. */
  readonly alternatives?: readonly Work[];
  /** Work that looks like a solution and is none, at least one: what the check must notice. */
  readonly wrong: readonly Work[];
}

/** What somebody does in a workspace: files first, then commands, then words. */
export interface Work {
  readonly files?: Changes;
  /** Command lines for bash. */
  readonly commands?: readonly string[];
  /** The last words; `Done.` unless given. */
  readonly said?: string;
}
