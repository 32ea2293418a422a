/** Which version of each file the model of one session has last seen. */
export interface FileVersions {
  /** Hash of the version last seen of the file at this real path; `undefined` when it has seen none. */
  lastSeen(realPath: string): string | undefined;
  /** Notes that the model has seen, or made, this version. */
  saw(realPath: string, hash: string): void;
}

/** An empty ledger; one per session, since another session's model has seen other things. */
export function createFileVersions(): FileVersions {
  const hashes = new Map<string, string>();
  return {
    lastSeen: (realPath) => hashes.get(realPath),
    saw: (realPath, hash) => {
      hashes.set(realPath, hash);
    },
  };
}
