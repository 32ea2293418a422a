import type { ConfigurationAction, ConfigurationDetails, ConfigurationView, HookTrialView } from '../../protocol/configuration.js';

/** What came of a wish to try a hook; nothing where it was stopped. */
export type TrialAnswer = { readonly trial: HookTrialView } | { readonly problem: string } | Readonly<Record<string, never>>;

/**
 * What is configured in this window, as pages show it and what they can do about it. Rows are named by their ids; whatever names one that
 * is not there does nothing, since a page may be a moment behind. What fails rejects, with a message for the user.
 */
export interface ConfigurationPort {
  /** What is shown now. */
  view(): Promise<ConfigurationView>;
  /** Has everything read again that files say. */
  read(): Promise<void>;
  /** Calls back at most every 100 ms while anything of a view or of details changes. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
  details(id: string): Promise<ConfigurationDetails | undefined>;
  /** What an action lets run is asked about by a dialog with all of it. */
  act(id: string, action: ConfigurationAction): Promise<void>;
  /** Opens a place of the view or of details. */
  open(place: string): Promise<void>;
  /** Runs a hook that may run against what happened last at its event. */
  tryHook(id: string, signal: AbortSignal): Promise<TrialAnswer>;
}
