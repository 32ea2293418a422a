import type { ConfigurationAction, ConfigurationDetails, ConfigurationView, HookTrialView } from '../../protocol/configuration.js';

/** Result of a trial run of a hook; empty when it was stopped. */
export type TrialAnswer = { readonly trial: HookTrialView } | { readonly problem: string } | Readonly<Record<string, never>>;

/**
 * The configuration of this window, for pages to show and change. Rows are named by their ids; an id that
 * does not exist is ignored, since a page may be a moment behind. Errors reject with a message for the user.
 */
export interface ConfigurationPort {
  /** The current rows of all sections. */
  view(): Promise<ConfigurationView>;
  /** Has everything read again that files say. */
  read(): Promise<void>;
  /** Calls back at most every 100 ms while anything of a view or of details changes. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
  details(id: string): Promise<ConfigurationDetails | undefined>;
  /** Carries out an action. Where it lets something run, a dialog shows all of it first. */
  act(id: string, action: ConfigurationAction): Promise<void>;
  /** Opens a place of the view or of details. */
  open(place: string): Promise<void>;
  /** Runs a hook that may run against what happened last at its event. */
  tryHook(id: string, signal: AbortSignal): Promise<TrialAnswer>;
}
