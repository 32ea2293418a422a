import type { RuleEffect } from '../../../src/domain/tool/permission.js';
import type { Memory } from '../../../src/domain/host/memory.js';
import { ruleProblems } from '../../../src/permission/rules/rule-set.js';
import { Consents, RULE_CONSENTS } from '../../../src/consent/rules/consents.js';
import { MemoryApprovals } from '../../support/memory-approvals.js';
import type { Dialogs } from '../../../src/domain/host/dialogs.js';
import { type ListChange, type RulePlace, type RuleSettings, type RuleSource, changedList } from '../../../src/consent/rules/rule-source.js';
import { SettingsRuleBook } from '../../../src/consent/rules/settings-rule-book.js';

type Lists = Partial<Record<RuleEffect, unknown>>;

export function source(place: RulePlace, lists: Lists = {}, id: string = place): RuleSource {
  const label = place === 'user' ? 'your user settings' : `the ${place} settings`;
  return { place, id, label, lists: { allow: undefined, ask: undefined, deny: undefined, ...lists } };
}

/** Settings in memory, written to like the real ones. */
export class MemorySettings implements RuleSettings {
  /** Thrown by the next writes while set. */
  failure: Error | undefined;
  reads = 0;
  private all: readonly RuleSource[];

  constructor(...all: readonly RuleSource[]) {
    this.all = all;
  }

  sources(): readonly RuleSource[] {
    this.reads += 1;
    return this.all;
  }

  set(place: RulePlace, lists: Lists): void {
    this.all = this.all.map((each) => (each.place === place ? { ...each, lists: { ...each.lists, ...lists } } : each));
  }

  async change({ place }: RuleSource, effect: RuleEffect, change: ListChange): Promise<void> {
    // Others get their turn, as they do while a file is written.
    await Promise.resolve();
    if (this.failure !== undefined) throw this.failure;
    const now = this.all.find((each) => each.place === place)?.lists[effect];
    this.set(place, { [effect]: changedList(Array.isArray(now) ? now : [], change) });
  }
}

export class MemoryStorage implements Memory {
  readonly values = new Map<string, unknown>();

  get(key: string): unknown {
    return this.values.get(key);
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

/** Dialogs that answer from a list, and keep what they showed. Without an answer they are dismissed. */
export class ScriptedDialogs implements Dialogs {
  readonly shown: { readonly kind: string; readonly text: string; readonly detail: string; readonly choices: readonly string[] }[] = [];
  readonly answers: (string | undefined)[];

  constructor(...answers: (string | undefined)[]) {
    this.answers = answers;
  }

  notify(level: 'info' | 'warning', text: string, ...choices: readonly string[]): Promise<string | undefined> {
    return this.show(level, text, '', choices);
  }

  modal(text: string, detail: string, ...choices: readonly string[]): Promise<string | undefined> {
    return this.show('modal', text, detail, choices);
  }

  beside(question: string, { text }: { readonly title: string; readonly text: string }, ...choices: readonly string[]): Promise<string | undefined> {
    return this.show('beside', question, text, choices);
  }

  private show(kind: string, text: string, detail: string, choices: readonly string[]): Promise<string | undefined> {
    this.shown.push({ kind, text, detail, choices });
    const answer = this.answers.shift();
    if (answer !== undefined && !choices.includes(answer)) throw new Error(`“${answer}” is not offered by “${text}”.`);
    return Promise.resolve(answer);
  }
}

export interface BookRig {
  readonly book: SettingsRuleBook;
  readonly settings: MemorySettings;
  readonly approvals: MemoryApprovals;
  trusted: boolean;
  damage: readonly string[];
  /** The rules that hold, such as `deny Bash(rm:*) user`. */
  rules(): readonly string[];
  /** Changes the settings as an edit of their file does. */
  change(place: RulePlace, lists: Lists): void;
}

export function rigBook(...sources: readonly RuleSource[]): BookRig {
  const settings = new MemorySettings(...sources);
  const approvals = new MemoryApprovals();
  const consents = new Consents(approvals.of(RULE_CONSENTS));
  const book = new SettingsRuleBook({ settings, consents, trust: { trusted: () => rig.trusted }, check: ruleProblems, damage: () => rig.damage });
  const rig: BookRig = {
    book,
    settings,
    approvals,
    trusted: true,
    damage: [],
    rules: () => book.rules().map(({ effect, text, scope }) => `${effect} ${text} ${scope}`),
    change: (place, lists) => {
      settings.set(place, lists);
      book.forget();
    },
  };
  return rig;
}
