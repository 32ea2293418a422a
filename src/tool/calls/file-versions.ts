import type { LineRange } from '../../text/text-edit.js';

/** Which lines of a file were shown, of how many. */
export interface SeenLines extends LineRange {
  readonly total: number;
}

/** Which version of each file the model of one session has last seen, and how much of it. */
export interface FileVersions {
  /** Hash of the version last seen of the file at this real path; `undefined` when it has seen none. */
  lastSeen(realPath: string): string | undefined;
  /** Whether the model has seen every line of that version, or written it. */
  sawWhole(realPath: string): boolean;
  /** Notes that the model has seen some lines of a version or, without lines, the whole of it. */
  saw(realPath: string, hash: string, lines?: SeenLines): void;
  /** Notes that the model has changed a part of a file; what it knew of the rest stays. */
  edited(realPath: string, hash: string): void;
  /** Notes that the model has moved a file: what it knew of it, it knows of the file in its new place. */
  moved(fromRealPath: string, toRealPath: string): void;
  /** Notes that the model has deleted a file: what is there later is another one. */
  deleted(realPath: string): void;
}

interface Seen {
  readonly hash: string;
  /** The lines from the first on that were seen without a gap. */
  readonly upTo: number;
  readonly whole: boolean;
}

/** An empty ledger; one per session, since another session's model has seen other things. */
export function createFileVersions(): FileVersions {
  const files = new Map<string, Seen>();
  return {
    lastSeen: (realPath) => files.get(realPath)?.hash,
    sawWhole: (realPath) => files.get(realPath)?.whole === true,
    saw(realPath, hash, lines) {
      const known = files.get(realPath);
      const before = known?.hash === hash ? known : { hash, upTo: 0, whole: false };
      files.set(realPath, lines === undefined ? { ...before, whole: true } : withLines(before, lines));
    },
    edited(realPath, hash) {
      files.set(realPath, { ...(files.get(realPath) ?? { upTo: 0, whole: false }), hash });
    },
    moved(fromRealPath, toRealPath) {
      const known = files.get(fromRealPath);
      files.delete(fromRealPath);
      if (known === undefined) files.delete(toRealPath);
      else files.set(toRealPath, known);
    },
    deleted: (realPath) => void files.delete(realPath),
  };
}

function withLines(before: Seen, { first, last, total }: SeenLines): Seen {
  const upTo = first <= before.upTo + 1 ? Math.max(before.upTo, last) : before.upTo;
  return { ...before, upTo, whole: before.whole || upTo >= total };
}
