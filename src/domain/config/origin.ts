/**
 * The layers of configuration, strongest first (C16, and a managed one for organizations). Deny and ask rules of all layers
 * add up; other values come from the strongest layer that has one.
 */
export const CONFIG_LAYERS = ['managed', 'local', 'project', 'user'] as const;
/** One of {@link CONFIG_LAYERS}. */
export type ConfigLayer = (typeof CONFIG_LAYERS)[number];

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
