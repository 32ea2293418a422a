import type { ListedMemory } from './memory.js';

/** One kind of approval: what is kept of it, and how much. */
export interface ApprovalKind<Value> {
  /** Its name in the file. It never changes: approvals of a kind without a reader are kept and grant nothing. */
  readonly name: string;
  /** Approvals that are kept. When there are more, those that were given longest ago are asked for again. */
  readonly most: number;
  /** Whether an approval is valid in the workspace alone in which it was given. */
  readonly perWorkspace: boolean;
  /** Reads a stored approval; `undefined` for a value that is not one, so that the user is asked again. */
  read(value: unknown): Value | undefined;
  /** Subject of an approval as a short key: a later approval of the same subject replaces it. */
  subjectOf(value: Value): string;
  /** Approvals that earlier versions stored in memory instead of the file, the newest first; {@link ApprovalKind.read} checks it. */
  earlier(memory: ListedMemory): readonly unknown[];
}

/** The approvals of one kind. */
export interface ApprovalStore<Value> {
  /** All that are valid now, the newest first: also what another process has approved or revoked by now. */
  list(): readonly Value[];
  /**
   * Changes them as they are in the file by then, and not as they were listed. Nothing is written when the same list is returned.
   * @throws Error with a sentence for the user when the file cannot be read or written; nothing has changed then
   */
  change(change: (approvals: readonly Value[]) => readonly Value[]): Promise<void>;
}

/** All approvals of the user, which every window and every other program of Gnomon shares. Tools and sandboxed commands cannot reach them. */
export interface Approvals {
  of<Value>(kind: ApprovalKind<Value>): ApprovalStore<Value>;
  /** Resolves when listeners were called for what other processes have changed until now. Does not reject. */
  ready(): Promise<void>;
  /** Calls back when another process has changed approvals. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
}
