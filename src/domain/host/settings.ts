/** Values of a setting by scope; `undefined` where it is not set. Values are untrusted: their types are not checked. */
export interface SettingLayers {
  readonly defaultValue?: unknown;
  /** Of the user, for all workspaces. */
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The user's settings, read afresh at each call. */
export interface Settings {
  /** The effective value of a setting, not yet checked; `undefined` where it is not set. @param name whole, such as `gnomon.maxTurns` */
  readonly get: (name: string) => unknown;
  /** Values by scope. */
  readonly inspect: (name: string) => SettingLayers;
  /** Calls back when something below a section, such as `gnomon`, may have changed. Returns how to stop that. */
  readonly onDidChange: (section: string, listener: () => void) => () => void;
}
