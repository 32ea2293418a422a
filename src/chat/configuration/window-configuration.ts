import { Signal } from '../../concurrency/signal.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import { t } from '../../domain/l10n.js';
import type { ConfigurationAction, ConfigurationDetails, ConfigurationView } from '../../protocol/configuration.js';
import { errorMessage } from '../../domain/errors.js';
import { trialFacts } from '../../hook/hook-trial.js';
import type { ListedHook } from '../../customization/hooks/hook-approvals.js';
import { type TryOut, tryHook } from '../../customization/hooks/try-hook.js';
import type { Disposable } from '../../domain/host/disposable.js';
import type { Place } from './configuration-view.js';
import type { ConfigurationPort, TrialAnswer } from './configuration-port.js';
import type { ConfigurationSources } from './gather-configuration.js';
import type { Report, ReportedItem } from './report.js';

/** Milliseconds between a change and its event, so that a change in many steps is one event. */
const TELL_MS = 100;
/** Scripts that are watched. */
const MAX_WATCHED = 100;

/** Sources of the configuration in effect, and the actions of its page: review a hook, open a file, try a hook. */
export interface ConfigurationDeps extends ConfigurationSources {
  /** Lets the user decide on a hook. */
  readonly decideOnHook: (hook: ListedHook) => Promise<void>;
  /** Opens a file where something is configured, or the settings of the user. */
  readonly openPlace: (place: Place) => Promise<void>;
  readonly tryOut: TryOut;
}

/** The configuration of this window with its sources, for pages and for **Explain Setting**. It is collected on demand only. */
export class WindowConfiguration implements ConfigurationPort, Disposable {
  private readonly changed = new Signal();
  readonly onDidChange = this.changed.subscribe;
  private readonly stops: readonly (() => void)[];
  private known: Promise<Report> | undefined;
  private telling: NodeJS.Timeout | undefined;
  /** Scripts of hooks, from the first time that somebody looks. */
  private watched: readonly string[] = [];
  private watching: Disposable | undefined;

  constructor(private readonly deps: ConfigurationDeps) {
    const { ports, layers, settings, permissions, hooks, agents, styles, skills, commands } = deps;
    const sources = [
      (listener: () => void) => ports.settings.onDidChange('gnomon', listener),
      ports.trust.onDidGrant,
      layers.onDidChange,
      settings.onDidChange,
      permissions.book.onDidChange,
      hooks.onDidChange,
      agents.onDidChange,
      styles.onDidChange,
      skills.onDidChange,
      commands.onDidChange,
    ];
    this.stops = sources.map((subscribe) => subscribe(() => this.renew()));
  }

  /** All that is configured. */
  report(): Promise<Report> {
    if (this.known !== undefined) return this.known;
    const gathering = this.gather();
    this.known = gathering;
    return gathering;
  }

  async view(): Promise<ConfigurationView> {
    const [report, { viewOf }] = await Promise.all([this.report(), import('./configuration-view.js')]);
    return viewOf(report);
  }

  async read(): Promise<void> {
    const { layers, agents, styles, skills, commands } = this.deps;
    await Promise.all([layers.read(), agents.read(), styles.read(), skills.ready(), commands.read()]);
    this.known = undefined;
  }

  async details(id: string): Promise<ConfigurationDetails | undefined> {
    const [item, { detailsOf, MAX_DIFF }] = await Promise.all([this.find(id), import('./configuration-view.js')]);
    if (item?.subject?.type !== 'hook' || item.subject.listed.standing.state !== 'changed') return item && detailsOf(item);
    const { text, standing } = item.subject.listed;
    const diff = await unifiedDiff(t('Hook'), { before: `${standing.before}\n`, after: `${text}\n` });
    return detailsOf(item, diff.length <= MAX_DIFF ? diff : undefined);
  }

  async act(id: string, action: ConfigurationAction): Promise<void> {
    const subject = (await this.find(id))?.subject;
    if (subject?.actions.includes(action) !== true) return;
    switch (subject.type) {
      case 'rules':
        return this.deps.permissions.consent.review(subject.pending);
      case 'skill':
        return this.deps.skills.pin(subject.chosen, action === 'pin_skill');
      case 'hook':
        return action === 'open_scripts' ? this.openAll((await this.deps.hooks.placesOf(subject.listed.hook)).files) : this.deps.decideOnHook(subject.listed);
    }
  }

  async open(id: string): Promise<void> {
    const [report, { placesOf }] = await Promise.all([this.report(), import('./configuration-view.js')]);
    const place = placesOf(report).get(id);
    if (place !== undefined) await this.deps.openPlace(place);
  }

  async tryHook(id: string, signal: AbortSignal): Promise<TrialAnswer> {
    const subject = (await this.find(id))?.subject;
    if (subject?.type !== 'hook' || !subject.triable) return {};
    try {
      const trial = await tryHook(subject.listed.hook, this.deps, signal);
      return signal.aborted ? {} : { trial: trialFacts(trial) };
    } catch (error) {
      return signal.aborted ? {} : { problem: errorMessage(error) };
    }
  }

  dispose(): void {
    for (const stop of this.stops) stop();
    clearTimeout(this.telling);
    this.watching?.dispose();
    this.changed.clear();
  }

  private async gather(): Promise<Report> {
    const { gatherConfiguration } = await import('./gather-configuration.js');
    try {
      const { report, scripts } = await gatherConfiguration(this.deps);
      this.watchScripts(scripts);
      return report;
    } catch (error) {
      // The next one who asks gets what there is then.
      this.known = undefined;
      throw error;
    }
  }

  /** Watches the scripts of hooks, as their content is part of the approval. */
  private watchScripts(scripts: readonly string[]): void {
    const files = [...new Set(scripts)].sort().slice(0, MAX_WATCHED);
    if (files.join('\n') === this.watched.join('\n')) return;
    this.watched = files;
    this.watching?.dispose();
    this.watching = this.deps.ports.keepWatching(
      () => ({ files }),
      () => this.renew(),
    );
  }

  private renew(): void {
    this.known = undefined;
    this.telling ??= setTimeout(() => {
      this.telling = undefined;
      this.changed.emit();
    }, TELL_MS);
  }

  private async find(id: string): Promise<ReportedItem | undefined> {
    const [{ sections }, { identified }] = await Promise.all([this.report(), import('./row-id.js')]);
    return sections.flatMap(identified).find((each) => each.id === id)?.item;
  }

  private async openAll(paths: readonly string[]): Promise<void> {
    for (const file of paths) await this.deps.openPlace({ file, layer: 'project' });
  }
}
