import * as vscode from 'vscode';

/** Least and longest pause before a model is asked, in milliseconds. */
const LEAST_PAUSE_MS = 0;
const LONGEST_PAUSE_MS = 2_000;
const DEFAULT_PAUSE_MS = 75;

/** The setting for {@link completionSettings.isOn}, by its full name. */
export const COMPLETIONS = 'gnomon.completions';

/** The settings of suggestions, read afresh at each call. All are of scope `application`: a workspace cannot set them. */
export const completionSettings = {
  /** Whether there are suggestions at all. */
  isOn: (): boolean => section().get<unknown>('enabled') === true,
  /** `provider/model`, or empty. */
  model: (): string => {
    const value: unknown = section().get('model');
    return typeof value === 'string' ? value.trim() : '';
  },
  /** Whether there are suggestions in files of a language: where nothing is said of it, there are. */
  isLanguageOn: (language: string): boolean => languages()[language] !== false,
  /** Whether the next edit is predicted as well, where there are suggestions. */
  hasNextEdits: (): boolean => section().get<unknown>('nextEdits') === true,
  /** Debounce of automatic suggestions, in milliseconds. */
  pauseMs: (): number => {
    const value: unknown = section().get('delay');
    return typeof value === 'number' ? Math.min(LONGEST_PAUSE_MS, Math.max(LEAST_PAUSE_MS, value)) : DEFAULT_PAUSE_MS;
  },
  /** Turns suggestions on or off. */
  turn: (on: boolean): Thenable<void> => section().update('enabled', on, vscode.ConfigurationTarget.Global),
  /** Turns suggestions in files of a language on or off. */
  turnLanguage: (language: string, on: boolean): Thenable<void> => {
    const own = section().inspect<Readonly<Record<string, unknown>>>('languages')?.globalValue ?? {};
    return section().update('languages', { ...own, [language]: on }, vscode.ConfigurationTarget.Global);
  },
  /** Turns next edit suggestions on or off. */
  turnNextEdits: (on: boolean): Thenable<void> => section().update('nextEdits', on, vscode.ConfigurationTarget.Global),
  /** Chooses the model. */
  choose: (model: string): Thenable<void> => section().update('model', model, vscode.ConfigurationTarget.Global),
};

function section(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(COMPLETIONS);
}

function languages(): Readonly<Record<string, unknown>> {
  const value: unknown = section().get('languages');
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
