import type { ChangedFiles } from '../domain/workspace/changes.js';

/** Log of file changes by the user, or by an editor for them, in order. */
export class UserEdits {
  private readonly latest = new Map<string, number>();
  private count = 0;

  /** Notes that a file was changed. @param path absolute and real */
  note(path: string): void {
    this.count += 1;
    this.latest.set(path, this.count);
  }

  /** A moment, for {@link since}. */
  now(): number {
    return this.count;
  }

  /** Whether a file was changed after a moment. */
  since(moment: number, path: string): boolean {
    return (this.latest.get(path) ?? 0) > moment;
  }
}

/** The same files; what is put there for the user is noted as theirs. */
export function notingPuts(files: ChangedFiles, edits: UserEdits): ChangedFiles {
  return {
    look: (path) => files.look(path),
    put: async (path, expected, wanted) => {
      edits.note(path);
      // Again when it is done: what looks at the file meanwhile may have seen it before.
      await files.put(path, expected, wanted).finally(() => edits.note(path));
    },
  };
}
