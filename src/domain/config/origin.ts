/**
 * The layers of configuration, strongest first (C16, a managed one for organizations, and one for what the user says in starting the
 * program). Deny and ask rules of all layers add up; other values come from the strongest layer that has one.
 */
export const CONFIG_LAYERS = ['managed', 'flag', 'local', 'project', 'user'] as const;
/** One of {@link CONFIG_LAYERS}. */
export type ConfigLayer = (typeof CONFIG_LAYERS)[number];

/** The layers whose files can be left out in starting the program. What an organization says never can. */
export const FILE_LAYERS = ['user', 'project', 'local'] as const;
/** One of {@link FILE_LAYERS}. */
export type FileLayer = (typeof FILE_LAYERS)[number];

/** Whether files of a layer are read. @param layers those that are; `undefined` for all */
export function isRead(layer: ConfigLayer, layers: readonly FileLayer[] | undefined): boolean {
  return layers === undefined || !FILE_LAYERS.some((each) => each === layer) || layers.some((each) => each === layer);
}

/** Where something is configured. */
export interface ConfigOrigin {
  readonly layer: ConfigLayer;
  /** Absolute path of the file; for settings of VS Code their full name. */
  readonly file: string;
  /** Display name of the file, such as `.claude/settings.json` or `~/.gnomon/agents/tester.md`. */
  readonly display: string;
  /** Absolute path of the workspace folder that the file belongs to; absent for files of the user. */
  readonly folder?: string;
  /** Number of folders between it and that folder, above or below; absent for the folder itself. Of equals, the nearest wins. */
  readonly distance?: number;
  /** From 1 on; absent for a file as a whole. */
  readonly line?: number;
}

/** Whether something may have been written by someone other than the user: it is inert until trust and, where it can do anything, consent. */
export function isFromRepository({ layer }: Pick<ConfigOrigin, 'layer'>): boolean {
  return layer === 'project' || layer === 'local';
}

/** A definition that another one of the same name or key overrides, and why. */
export interface Overridden {
  readonly origin: ConfigOrigin;
  /** A sentence for the user. */
  readonly why: string;
}
