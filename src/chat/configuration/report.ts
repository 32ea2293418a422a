import type { EffectiveValue } from '../../domain/config/effective-value.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import { t } from '../../domain/l10n.js';
import type { ConfigurationAction, ConfigurationSectionId, ConfigurationTone } from '../../protocol/configuration.js';
import type { ListedHook } from '../../customization/hooks/hook-approvals.js';
import type { PendingList } from '../../consent/rules/settings-rule-book.js';
import type { ChosenSkill } from '../../config/skills/choose.js';

/** Something that is configured: a setting, a file, a rule, a hook, an agent, a skill, a command, or a style. */
export interface ReportedItem {
  /** Tells it from others of its section, and is the same as long as it is the same thing. */
  readonly key: string;
  readonly name: string;
  /** A word or two about whether it counts. */
  readonly state: string;
  readonly tone: ConfigurationTone;
  /** The value of a setting, or what a hook runs, for display. */
  readonly value?: string;
  /** The value of a setting as it is, for {@link explained}. */
  readonly setTo?: unknown;
  readonly description?: string;
  readonly origin?: ConfigOrigin;
  readonly overridden?: EffectiveValue['overridden'];
  readonly fields?: readonly FieldReport[];
  /** Further facts. */
  readonly facts?: readonly Fact[];
  /** Subject of its actions; absent for an item without actions. */
  readonly subject?: Subject;
}

/** State of an item that has no effect until the workspace is trusted. */
export function waitsForTrust(): Pick<ReportedItem, 'state' | 'tone'> {
  return { state: t('Waits for trust'), tone: 'waits' };
}

/** Subject of the actions of an item. */
export type Subject =
  | {
      readonly type: 'hook';
      readonly listed: ListedHook;
      readonly actions: readonly ConfigurationAction[];
      /** Whether it may run. */ readonly triable: boolean;
    }
  | { readonly type: 'rules'; readonly pending: PendingList; readonly actions: readonly ConfigurationAction[] }
  | { readonly type: 'skill'; readonly chosen: ChosenSkill; readonly actions: readonly ConfigurationAction[] };

/** Something that is known of an item: a name for the user, and a value as it is written. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** All that is configured of a kind. */
export interface ReportSection {
  readonly id: ConfigurationSectionId;
  readonly items: readonly ReportedItem[];
  /** Said where there is nothing: where it would come from. */
  readonly empty: string;
  /** About all of them. */
  readonly note?: string;
  readonly problems: readonly ConfigProblem[];
}

/** All that is configured. */
export interface Report {
  readonly trusted: boolean;
  /** One of each, in their order. */
  readonly sections: readonly ReportSection[];
  readonly folders: readonly ShortFolder[];
}

/** Abbreviation of a folder in displayed paths. */
export interface ShortFolder {
  /** Absolute path, with a separator at its end. */
  readonly path: string;
  /** Replacement, such as `~/`. */
  readonly short: string;
}
