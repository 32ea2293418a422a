import type { HookDefinition, HookHandler } from './definition.js';

/** Input and environment of a hook to start. */
export interface HookStart {
  readonly handler: HookHandler;
  /** The input as JSON, in one line: standard input, or the body of a request. */
  readonly input: string;
  readonly timeoutMs: number;
  /** Absolute path of the folder in which it runs. */
  readonly cwd: string;
  /** Environment variables with paths for hooks, such as `CLAUDE_PROJECT_DIR`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Raw result of a hook run, before its output is parsed. */
export type HookAnswer = { readonly durationMs: number } & (
  | {
      readonly type: 'exited';
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: string;
      /** Whether more was printed than is kept. */ readonly cut?: true;
    }
  /** Ended by a signal that did not come from Gnomon. */
  | { readonly type: 'killed'; readonly signal: string; readonly stderr: string }
  | { readonly type: 'responded'; readonly status: number; readonly body: Uint8Array; readonly cut?: true }
  | { readonly type: 'timed_out'; readonly stderr: string }
  /** The turn was stopped, or the window is being closed. */
  | { readonly type: 'aborted' }
  /** No such program, no permission, no connection; `why` is a sentence for users. */
  | { readonly type: 'not_started'; readonly why: string }
);

/** Starts hooks: processes and requests. */
export interface HookRunner {
  /** Runs one to its end and leaves nothing of it running. Never rejects. */
  run(start: HookStart, signal: AbortSignal): Promise<HookAnswer>;
  /** Kills all that run. */
  dispose(): void;
}

/** Hooks that are functions of the program that started Gnomon. The user who runs that program has given them, so that they need no approval. */
export interface CallbackHooks {
  /** Those that there are now, each with a handler of the type `callback`. */
  readonly definitions: () => readonly HookDefinition[];
  /**
   * Calls one.
   * @param input what it is told, parsed
   * @returns what it answers, in the form that hooks print as JSON
   * @throws Error when it fails, or does not answer
   */
  readonly call: (id: string, input: unknown, signal: AbortSignal) => Promise<unknown>;
}
