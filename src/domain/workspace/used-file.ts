/** Current content of a file, beside the configuration, that decides what a server or a hook does: a script, or a file with variables. */
export interface UsedFile {
  /** Relative to its workspace folder, with slashes; absolute outside. */
  readonly path: string;
  /** SHA-256 of its bytes in hex; absent when it is not read, or cannot be. */
  readonly sha256?: string;
  /** Where a link leads that leaves the workspace; what is there is not read. */
  readonly leadsTo?: string;
  /** Its size in bytes, when it is too large to be read: only a change of that is noticed. */
  readonly tooLarge?: number;
}
