import type { Node } from 'jsonc-parser';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { t } from '../../domain/l10n.js';
import { parsePermissionMode } from '../../domain/tool/permission.js';
import { JsonDocument, propertiesOf } from '../../text/json-document.js';
import { shownName } from '../../text/key-path.js';
import { inAll } from './choose-value.js';
import {
  ALLOWED_MODELS,
  AUTO_COMPACT_PERCENT,
  AUTO_COMPACT_SWITCH,
  BYPASS_SETTING,
  KEYS_BY_NAME,
  MODE_SETTING,
  MODEL_SETTING,
  NO_MODEL_ALLOWED,
  onlyNarrows,
  type SettingKey,
} from './setting-keys.js';
import { settingProblems } from './setting-problems.js';

/** A field of a settings file, by its name with dots between objects in each other. */
export interface SettingsField {
  readonly name: string;
  readonly nameNode: Node;
  readonly value: Node;
}

/** State of the value of a field that is a setting. */
export interface FieldValue {
  /** Absent where the field has none, and where it cannot be used. */
  readonly value?: unknown;
  /** A sentence for the user. */
  readonly problem?: string;
  /** Note about the conversion of the value, a sentence for the user. */
  readonly note?: string;
}

/** A value of a file for a setting. */
export interface SettingsValue {
  readonly value: unknown;
  readonly line?: number;
}

/** The settings of a file. */
export interface SettingsReading {
  /** By the names of the settings, such as `gnomon.model`. */
  readonly values: ReadonlyMap<string, SettingsValue>;
  /** The settings whose values cannot be used. */
  readonly unusable: ReadonlySet<string>;
  readonly problems: readonly ConfigProblem[];
  /** Whether the file as a whole cannot be read, so that nothing is known of what it says. */
  readonly isDamaged: boolean;
}

/** Names under which an object is expected, because it has settings in it: its fields are looked at one by one. */
export const GROUPS: ReadonlySet<string> = new Set([
  'env',
  ...[...KEYS_BY_NAME.keys()].flatMap((name) => (name.includes('.') ? [name.slice(0, name.indexOf('.'))] : [])),
]);
/** Modes of Claude Code that come closest to `default`, as for agents. */
const LIKE_DEFAULT: ReadonlySet<string> = new Set(['auto', 'delegate', 'dontAsk', 'manual']);
/** Names of models that mean none in particular. */
const NO_MODEL: ReadonlySet<string> = new Set(['', 'default', 'inherit', 'auto']);

/** Reads the settings of a file in the form of Claude Code (code.claude.com/docs/en/settings). What cannot be used is reported, and loses nothing else. */
export function readSettings(text: string, origin: ConfigOrigin): SettingsReading {
  const document = new JsonDocument(origin.file, text, { lenient: true });
  const { root } = document;
  const isEmpty = text.trim() === '';
  if (root !== undefined && root.type !== 'object') document.add([], root, t('The file must contain an object in braces.'));
  if (root?.type !== 'object')
    return { ...NOTHING, problems: document.problems.map((problem) => (isEmpty ? { ...problem, harmless: true } : problem)), isDamaged: !isEmpty };
  const values = new Map<string, SettingsValue & { readonly name: string }>();
  const unusable = new Set<string>();
  for (const field of fieldsOf(root)) {
    const key = KEYS_BY_NAME.get(field.name);
    if (key === undefined) continue;
    const { value, problem } = valueOfField(key, field, origin);
    if (problem !== undefined) {
      document.add(field.name.split('.'), field.value, problem);
      if (value === undefined) unusable.add(key.setting);
    }
    if (value === undefined) continue;
    const before = values.get(key.setting);
    if (before !== undefined) document.add(field.name.split('.'), field.nameNode, repeated(before.name, field.name), true);
    const held = before === undefined || key.allHold !== true ? value : inAll(value, before.value);
    if (before === undefined || replaces(key, { name: field.name, value: held }, before))
      values.set(key.setting, { name: field.name, value: held, ...lineIn(document, field) });
  }
  return { values, unusable, problems: document.problems, isDamaged: false };
}

/** Nothing, such as of a file that is not there. */
export const NOTHING: SettingsReading = { values: new Map(), unusable: new Set(), problems: [], isDamaged: false };

/** The fields of a file, in its order. Those of objects in it are named with a dot, as `permissions.defaultMode`; both ways to write one mean the same. */
export function fieldsOf(root: Node | undefined): readonly SettingsField[] {
  return propertiesOf(root).flatMap(({ name, nameNode, value }): readonly SettingsField[] => {
    if (!GROUPS.has(name) || value.type !== 'object') return [{ name, nameNode, value }];
    return propertiesOf(value).map((inner) => ({ ...inner, name: `${name}.${inner.name}` }));
  });
}

/** Parses the value of a field that is a setting. `null` leaves the setting to the next layer. */
export function valueOfField(key: SettingKey, { name, value: node }: SettingsField, origin: ConfigOrigin): FieldValue {
  const value = plainOf(node);
  if (value === null) return {};
  if (key.setting === MODE_SETTING) return modeOf(value, name, origin);
  if (key.setting === BYPASS_SETTING) return bypassOf(value, name, key);
  if (key.setting === ALLOWED_MODELS) return allowedOf(value, name, key);
  const isSwitch = name === AUTO_COMPACT_SWITCH;
  const [problem] = settingProblems({ [name]: isSwitch ? { type: 'boolean' } : key.shape }, () => value);
  if (problem !== undefined) return { problem };
  if (isSwitch) return { value: value === true ? AUTO_COMPACT_PERCENT : 0 };
  if (key.setting === MODEL_SETTING && typeof value === 'string' && NO_MODEL.has(value.trim().toLowerCase()))
    return { note: t('This names no model, so the next file counts.') };
  return { value };
}

/** An unknown mode could be one that permits less: where the user means Gnomon, the strictest that asks counts for it. */
function modeOf(value: unknown, name: string, origin: ConfigOrigin): FieldValue {
  const mode = parsePermissionMode(value);
  if (mode !== undefined) return { value: mode };
  if (typeof value === 'string' && LIKE_DEFAULT.has(value))
    return { value: 'default', note: t('Gnomon does not have the mode “{0}”. It uses “{1}”.', value, 'default') };
  const [problem = ''] = settingProblems({ [name]: KEYS_BY_NAME.get(name)?.shape ?? {} }, () => value);
  return onlyNarrows(origin) ? { problem } : { value: 'ask', problem: `${problem} ${t('Until this is fixed, new chats use “{0}”.', 'ask')}` };
}

/** Reads a setting that disables bypass mode. An invalid value disables it, too, as nothing else can have been meant. */
function bypassOf(value: unknown, name: string, { shape: { enum: values = [] } }: SettingKey): FieldValue {
  const [problem] = settingProblems({ [name]: { enum: values } }, () => value);
  return problem === undefined ? { value } : { value: 'disable', problem: `${problem} ${t('Until this is fixed, permissions cannot be bypassed.')}` };
}

/** Reads which models are allowed. What is no list allows none: whoever wrote it wanted to limit them. */
function allowedOf(value: unknown, name: string, { shape }: SettingKey): FieldValue {
  const [problem] = settingProblems({ [name]: shape }, () => value);
  return problem === undefined ? { value } : { value: NO_MODEL_ALLOWED, problem: `${problem} ${t('Until this is fixed, no model is allowed.')}` };
}

/** Whether a later value counts instead of an earlier one of the same file: not where it permits more, or its name is not the first one. */
function replaces(
  key: SettingKey,
  { name, value }: { readonly name: string; readonly value: unknown },
  before: { readonly name: string; readonly value: unknown },
): boolean {
  if (key.isAsStrict !== undefined) return key.isAsStrict(value, before.value);
  return key.names.indexOf(name) <= key.names.indexOf(before.name);
}

function repeated(before: string, name: string): string {
  return before === name
    ? t('“{0}” is there more than once. The last one counts, unless it permits more.', shownName(name))
    : t('“{0}” and “{1}” are the same setting. Delete one of them.', before, name);
}

function lineIn(document: JsonDocument, { nameNode }: SettingsField): { readonly line?: number } {
  const line = document.lineOf(nameNode);
  return line === undefined ? {} : { line };
}

/** A value without its places. Of a key that is there twice, the last one counts. */
function plainOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainOf);
  // Not by assignment, with which `__proto__` would be no key like others.
  if (node.type === 'object') return Object.fromEntries(propertiesOf(node).map(({ name, value }) => [name, plainOf(value)]));
  return node.value as unknown;
}
