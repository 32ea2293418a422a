/** Something in a configuration file that Gnomon cannot use. The rest of the file still works. */
export interface ConfigProblem {
  /** Absolute path of the file, or the name of the setting. */
  readonly file: string;
  /** Path of keys to the place, such as `hooks.PreToolUse[0].timeout`; empty for the file as a whole. */
  readonly key: string;
  /** From 1 on; absent where there is none. */
  readonly line?: number;
  /** A sentence for the user: what is wrong and what would be right. */
  readonly message: string;
  /** Whether what it is about works nevertheless. */
  readonly harmless?: true;
}

/** State of one field of a file that several programs read. */
export interface FieldReport {
  /** As written, such as `allowed-tools` or `hooks.PreToolUse[0].if`. */
  readonly field: string;
  /** `ignored`: Gnomon has nothing like it. `refused`: it has, but not from this file or not with this value. */
  readonly state: 'used' | 'ignored' | 'refused';
  /** Why it is not used, or what it became; absent where that is plain. A sentence for the user. */
  readonly note?: string;
  /** The known name that this one is most like; only where it is not known and is like one at all, so that it is probably a mistake. */
  readonly meant?: string;
  /** From 1 on. */
  readonly line?: number;
}
