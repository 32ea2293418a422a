import { SETTING_KEYS } from '../config/settings/setting-keys.js';
import { RULE_EFFECTS, type RuleBook } from '../domain/tool/permission.js';
import type { FileSettings } from '../customization/settings.js';

/** Settings that can have keys in them, in headers or addresses: they are not told. */
const UNTOLD: readonly string[] = ['gnomon.providers', 'gnomon.models', 'gnomon.anthropic.baseUrl', 'gnomon.webSearch.searxngUrl'];

/** Settings as another program gets them. */
export interface ToldSettings {
  /** Those that count, as a settings file would have them. */
  readonly effective: Readonly<Record<string, unknown>>;
  /** Where those are from that someone has set. */
  readonly sources: readonly { readonly setting: string; readonly source: string; readonly path: string }[];
}

/**
 * The settings that count, for a program that asks. What can have a key in it is left out.
 * @param clean takes out of a text what looks like a key
 */
export async function toldSettings(
  { settings, book }: { readonly settings: FileSettings; readonly book: Pick<RuleBook, 'ready' | 'rules'> },
  clean: (text: string) => string,
): Promise<ToldSettings> {
  await Promise.all([settings.ready(), book.ready?.()]);
  const told = SETTING_KEYS.filter(({ setting }) => !UNTOLD.includes(setting)).map((key) => ({ name: key.names[0], ...settings.choice(key) }));
  const rules = RULE_EFFECTS.map((effect) => ({
    name: `permissions.${effect}`,
    value: book.rules().flatMap((rule) => (rule.effect === effect ? [clean(rule.text)] : [])),
  }));
  const effective: Record<string, unknown> = {};
  for (const { name, value } of told) put(effective, name.split('.'), typeof value === 'string' ? clean(value) : value);
  for (const { name, value } of rules) if (value.length > 0) put(effective, name.split('.'), value);
  return {
    effective,
    sources: told.flatMap(({ name, origin }) => (origin === undefined ? [] : [{ setting: name, source: origin.layer, path: clean(origin.display) }])),
  };
}

/** Puts a value where its name says; what is `undefined` is not there. */
function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (value === undefined) return;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = { ...(into[name] as Readonly<Record<string, unknown>> | undefined) };
  put(inner, rest, value);
  into[name] = inner;
}
