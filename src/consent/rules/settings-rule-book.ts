import { mayWork, type WorkspaceTrust } from '../../domain/host/folders.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { RuleScope } from '../../domain/tool/denial.js';
import type { PermissionRule, RuleBook, RuleEffect, RuleUpdate } from '../../domain/tool/permission.js';
import { Signal } from '../../concurrency/signal.js';
import { KeyedQueue } from '../../concurrency/queue.js';
import { type RuleLimit, limitOf } from '../../permission/rules/rule-coverage.js';
import type { Consents } from './consents.js';
import { type RuleCheck, type RuleEntry, entriesOf } from './rule-entries.js';
import { type ListChange, type RuleSettings, type RuleSource, canBeChanged, changedList, isFile, isForeign, settingOf } from './rule-source.js';

/** Sources of permission rules: settings, approvals, and Workspace Trust. Damaged settings files add an explanation. */
export interface RuleBookDeps {
  readonly settings: RuleSettings;
  readonly consents: Consents;
  /** Whether the workspace is trusted; of the settings of one that is not, only what restricts counts, and where agents work there what was approved. */
  readonly trust: Pick<WorkspaceTrust, 'trusted' | 'worksUntrusted' | 'needsNoApproval'>;
  readonly check: RuleCheck;
  /** Resolves when all rules are known that there are at the start. Left out: they are. */
  readonly ready?: () => Promise<void>;
  /** Settings files that cannot be parsed completely; a message for each, such as “your settings have a syntax error”. */
  readonly damage: () => readonly string[];
}

/** An entry, and whether it is in effect. */
export interface ListedEntry extends RuleEntry {
  readonly state: 'holds' | 'unreadable' | 'needs_consent';
  /** Limit of the rule, which covers less than its text suggests. */
  readonly limit?: RuleLimit;
}

/** A list of allow rules that waits for the user's consent. */
export interface PendingList {
  readonly source: RuleSource;
  readonly rules: readonly string[];
  /** Those that were not in the list that the user agreed to before. */
  readonly fresh: readonly string[];
}

/** Rules that a {@link SettingsRuleBook} found in the settings. */
export interface RuleListing {
  readonly entries: readonly ListedEntry[];
  readonly problems: readonly string[];
  readonly pending: readonly PendingList[];
}

/** The rules of the settings. They are read anew after {@link SettingsRuleBook.forget}, which every change of a setting calls. */
export class SettingsRuleBook implements RuleBook {
  /** Two changes of one list at once would lose one of them. */
  private readonly queue = new KeyedQueue();
  private known: { readonly listing: RuleListing; readonly rules: readonly PermissionRule[] } | undefined;

  private readonly changed = new Signal();
  /** Fires when rules, or what the user agreed to, may have changed. */
  readonly onDidChange = this.changed.subscribe;

  constructor(private readonly deps: RuleBookDeps) {}

  rules(): readonly PermissionRule[] {
    return this.read().rules;
  }

  async ready(): Promise<void> {
    await this.deps.ready?.();
  }

  /** Every entry with where it comes from, what is wrong, and what waits for consent. */
  listing(): RuleListing {
    return this.read().listing;
  }

  /** Has the settings read again. */
  forget(): void {
    this.known = undefined;
    this.changed.emit();
  }

  add(rules: readonly string[], scope: Exclude<RuleScope, 'session'>): Promise<void> {
    return this.insert('allow', rules, scope);
  }

  /**
   * Adds rules of any effect to the settings of the user or the workspace, or to the file with what only the user has in it.
   * @throws Error when a rule cannot be read or the settings cannot be written; its text says what to do.
   */
  async insert(effect: RuleEffect, rules: readonly string[], scope: Exclude<RuleScope, 'session'>): Promise<void> {
    const [problem] = this.deps.check(rules.map((text) => ({ effect, text, scope })));
    if (problem !== undefined) throw new Error(problem);
    await this.deps.ready?.();
    const { place, id } = this.target(scope);
    await this.queue.run(keyOf({ place, id }), async () => {
      const source = this.target(scope);
      const list = listOf(source, effect);
      const fresh = [...new Set(rules)].filter((rule) => !list.includes(rule));
      if (effect === 'allow' && this.isPending(source))
        throw new Error(t('The allow rules of this workspace need your approval. Run “Gnomon: Manage Permissions”, review them, and try again.'));
      if (fresh.length > 0) await this.change(source, effect, { add: fresh });
    });
  }

  /**
   * Removes an entry from the settings that it is in.
   * @throws Error when the settings cannot be written.
   */
  async remove({ source, rule, written }: RuleEntry): Promise<void> {
    await this.deps.ready?.();
    await this.queue.run(keyOf(source), () => this.change(this.now(source), rule.effect, { remove: written }));
  }

  async update({ type, effect, rules, scope }: RuleUpdate<Exclude<RuleScope, 'session'>>): Promise<void> {
    if (type === 'addRules') return this.insert(effect, rules, scope);
    await this.deps.ready?.();
    // Says why where rules of the scope cannot be changed at all.
    this.target(scope);
    const entries = this.read().listing.entries.filter(({ rule }) => rule.scope === scope && rule.effect === effect);
    const stale = entries.filter(({ rule }) => rules.includes(rule.text.trim()) === (type === 'removeRules'));
    if (type === 'removeRules') return this.removeAll(stale);
    const mine = stale.filter(({ source, written }) => canBeChanged(source, written));
    // In between, nothing is allowed that is not to be, and nothing is not denied that is to be.
    if (effect === 'allow') await this.removeAll(mine);
    await this.insert(effect, rules, scope);
    if (effect !== 'allow') await this.removeAll(mine);
  }

  private async removeAll(entries: readonly RuleEntry[]): Promise<void> {
    const fixed = entries.find(({ source, written }) => !canBeChanged(source, written));
    if (fixed !== undefined) throw new Error(t('The rule {0} in {1} cannot be changed here.', fixed.rule.text, fixed.source.label));
    for (const entry of entries) await this.remove(entry);
  }

  /** Notes the user's consent to a list, as it was shown to them. */
  async agree({ source, rules }: PendingList): Promise<void> {
    await this.deps.consents.give(source, rules);
    this.forget();
  }

  private read(): { readonly listing: RuleListing; readonly rules: readonly PermissionRule[] } {
    this.known ??= this.readAnew();
    return this.known;
  }

  private readAnew(): { readonly listing: RuleListing; readonly rules: readonly PermissionRule[] } {
    const { settings, check, trust } = this.deps;
    const sources = settings.sources().flatMap((source) => (!isForeign(source) || mayWork(trust) ? [source] : whatRestricts(source)));
    const pending = sources.flatMap((source) => this.pendingOf(source));
    const waits = new Set(pending.map(({ source }) => source));
    const entries = sources
      .flatMap((source) => entriesOf(source, check))
      .map((entry): ListedEntry => ({ ...entry, state: stateOf(entry, waits.has(entry.source)), ...limited(limitOf(entry.rule)) }));
    const damage = this.deps.damage();
    const problems = [...new Set([...damage, ...entries.flatMap((entry) => entry.problems)])];
    const held = entries.filter(({ state, rule }) => state === 'holds' || (state === 'unreadable' && rule.effect !== 'allow')).map(({ rule }) => rule);
    // Deny rules of a file that cannot be parsed completely may be missing: an unreadable deny rule is added for them.
    const lost = damage.map((text): PermissionRule => ({ effect: 'deny', text: `(${text})`, scope: 'user', missing: text }));
    return { listing: { entries, problems, pending }, rules: [...lost, ...held] };
  }

  private pendingOf(source: RuleSource): readonly PendingList[] {
    const rules = allowedTexts(source.lists.allow);
    const { consents, trust } = this.deps;
    if (!isForeign(source) || trust.needsNoApproval === true || consents.covers(source, rules)) return [];
    const before = consents.given(source);
    return [{ source, rules, fresh: rules.filter((rule) => !before.includes(rule)) }];
  }

  private isPending(source: RuleSource): boolean {
    return this.pendingOf(source).length > 0;
  }

  /** The settings that rules of a scope are added to. */
  private target(scope: Exclude<RuleScope, 'session'>): RuleSource {
    if (scope !== 'user' && !this.deps.trust.trusted())
      throw new Error(t('This workspace is not trusted, so rules cannot be saved in it. Trust the workspace first.'));
    const source = this.deps.settings.sources().find(({ place }) => place === scope);
    if (source === undefined && scope === 'local')
      throw new Error(
        t(
          'There is no file that only you have in this workspace. ' +
            'Open a folder, or have Git no longer track .gnomon/settings.local.json, or save the rule in another place.',
        ),
      );
    if (source === undefined)
      throw new Error(t('No folder is open, so there is no workspace to save the rule in. Save it for this chat or in your user settings.'));
    return source;
  }

  private now(source: RuleSource): RuleSource {
    return this.deps.settings.sources().find(({ place, id }) => place === source.place && id === source.id) ?? source;
  }

  /** Changes a list. The user's consent goes along when they had agreed to the list before, since this change is theirs. */
  private async change(source: RuleSource, effect: RuleEffect, change: ListChange): Promise<void> {
    const { consents, settings } = this.deps;
    const follows = effect === 'allow' && isForeign(source) && !this.isPending(source);
    const before = consents.given(source);
    const list = allowedTexts(source.lists.allow);
    const after = allowedTexts(changedList(list, change));
    if (follows) await consents.follow(source, list, after);
    try {
      await settings.change(source, effect, change);
    } catch (error) {
      if (follows) await consents.follow(source, after, before);
      throw new Error(
        t(
          '{0} could not be changed in {1}: {2} Open these settings, fix or save them, and try again.',
          settingOf(source, effect),
          source.label,
          errorMessage(error),
        ),
        { cause: error },
      );
    } finally {
      this.forget();
    }
  }
}

/** Sources are changed one after the other. */
function keyOf({ place, id }: Pick<RuleSource, 'place' | 'id'>): string {
  return `${place} ${id}`;
}

function limited(limit: RuleLimit | undefined): Pick<ListedEntry, 'limit'> {
  return limit === undefined ? {} : { limit };
}

function stateOf(entry: RuleEntry, waits: boolean): ListedEntry['state'] {
  if (entry.problems.length > 0) return 'unreadable';
  return waits && entry.rule.effect === 'allow' ? 'needs_consent' : 'holds';
}

/** Settings that apply in an untrusted workspace: VS Code keeps its own back, and files can restrict what may be read. */
function whatRestricts(source: RuleSource): readonly RuleSource[] {
  return isFile(source) ? [{ ...source, lists: { ...source.lists, allow: undefined } }] : [];
}

/** The texts of a list: what consent is about. */
function allowedTexts(list: unknown): readonly string[] {
  return Array.isArray(list) ? (list as unknown[]).filter((entry) => typeof entry === 'string') : [];
}

function listOf(source: RuleSource, effect: RuleEffect): readonly unknown[] {
  const list = source.lists[effect] ?? [];
  if (Array.isArray(list)) return list as unknown[];
  throw new Error(t('{0} in {1} must be an array. Open these settings, fix it, and try again.', settingOf(source, effect), source.label));
}
