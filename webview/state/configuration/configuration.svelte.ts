import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { ConfigurationAction, ConfigurationDetails, ConfigurationView, HookTrialView } from '../../../src/protocol/configuration.js';
import { CONFIGURATION_MESSAGES, type ConfigurationMessage } from '../../../src/protocol/host/configuration-messages.js';
import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';

/** The trial of a hook: still running, its result, or the reason why it could not run. */
export type Trial = 'running' | { readonly trial: HookTrialView } | { readonly problem: string };

/** Messages with facts; the other leads the user to them. */
export type ConfigurationNews = Exclude<ConfigurationMessage, { type: 'show_configuration' }>;

/** Whether a message is for {@link ConfigurationState.take}. */
export function isConfigurationNews(message: HostMessage): message is ConfigurationNews {
  return message.type !== 'show_configuration' && Object.hasOwn(CONFIGURATION_MESSAGES, message.type);
}

/** The section of problems, which is there when there are any. */
export const PROBLEMS = 'problems';

/** State of the configuration page. Expanded rows stay expanded while they are shown, whatever changes. */
export class ConfigurationState {
  shown = $state(false);
  /** `undefined` until the host has sent it. */
  view = $state.raw<ConfigurationView | undefined>();
  /** Number of MCP servers. */
  servers = $state(0);
  query = $state('');
  told = $state.raw<{ readonly level: 'info' | 'error'; readonly text: string } | undefined>();
  /** The section or row that the user is to be led to, until it has the focus. */
  target = $state<string | undefined>();
  /** Sections and rows that are expanded, by their ids. */
  readonly expanded = new SvelteSet<string>([PROBLEMS]);
  /** Sections of which all rows are shown, however many. */
  readonly whole = new SvelteSet<string>();
  /** Of rows that are expanded; those of a row that is gone are `undefined`. */
  readonly details = new SvelteMap<string, ConfigurationDetails | undefined>();
  readonly trials = new SvelteMap<string, Trial>();

  constructor(private readonly post: (message: PanelMessage) => void) {}

  /** Begins and ends showing it. */
  show(shown: boolean): void {
    this.shown = shown;
    if (!shown) this.forget();
    this.post({ type: shown ? 'list_configuration' : 'close_configuration' });
  }

  /** Expands a section, or a row with its section, and leads the user there. */
  goTo(target: string): void {
    this.query = '';
    const [section = ''] = target.split(':', 1);
    this.expanded.add(section);
    if (target !== section) {
      // A row that the user is led to must be visible.
      this.whole.add(section);
      this.expand(target);
    }
    this.target = target;
  }

  /** Expands or collapses a section. */
  toggleSection(id: string): void {
    if (!this.expanded.delete(id)) this.expanded.add(id);
  }

  /** Expands or collapses a row. */
  toggleRow(id: string): void {
    if (this.expanded.delete(id)) this.details.delete(id);
    else this.expand(id);
  }

  /** Runs an action, and clears earlier messages, which could be mistaken for its result. */
  act(id: string, action: ConfigurationAction): void {
    this.told = undefined;
    this.post({ type: 'configuration_action', id, action });
  }

  /** Opens a place of a file. */
  open(place: string): void {
    this.told = undefined;
    this.post({ type: 'open_configuration_place', id: place });
  }

  /** Runs a hook against what happened last at its event. */
  tryHook(id: string): void {
    this.trials.set(id, 'running');
    this.post({ type: 'try_hook', id });
  }

  /** Ends that. */
  stopHook(id: string): void {
    this.post({ type: 'stop_hook', id });
  }

  /** Takes a message of the host. */
  take(message: ConfigurationNews): void {
    if (!this.shown) return;
    switch (message.type) {
      case 'configuration':
        this.view = message.view;
        this.servers = message.servers;
        return this.renew();
      case 'configuration_details':
        if (this.expanded.has(message.id)) this.details.set(message.id, message.details);
        return;
      case 'hook_trial':
        return this.takeTrial(message);
      case 'configuration_told':
        this.told = { level: message.level, text: message.text };
    }
  }

  private takeTrial({ id, trial, problem }: Extract<ConfigurationNews, { type: 'hook_trial' }>): void {
    if (trial !== undefined) this.trials.set(id, { trial });
    else if (problem !== undefined) this.trials.set(id, { problem });
    else this.trials.delete(id);
  }

  private expand(id: string): void {
    this.expanded.add(id);
    this.post({ type: 'load_configuration', id });
  }

  /** Reloads the details of expanded rows, which may have changed, too. */
  private renew(): void {
    const rows = this.view?.sections.flatMap((section) => section.rows) ?? [];
    for (const { id } of rows) if (this.expanded.has(id)) this.post({ type: 'load_configuration', id });
    if (this.target !== undefined && this.target.includes(':') && !rows.some(({ id }) => id === this.target)) this.target = undefined;
  }

  private forget(): void {
    this.view = undefined;
    this.told = undefined;
    this.target = undefined;
    this.query = '';
    this.details.clear();
    this.trials.clear();
    this.expanded.clear();
    this.whole.clear();
    this.expanded.add(PROBLEMS);
  }
}
