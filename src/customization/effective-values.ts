import { present } from '../domain/present.js';
import { SETTING_KEYS } from '../config/settings/setting-keys.js';
import type { EffectiveValue } from '../domain/config/effective-value.js';
import type { ConfigOrigin } from '../domain/config/origin.js';
import { t } from '../domain/l10n.js';
import type { SettingLayers, Settings } from '../domain/host/settings.js';
import { originInVsCode, type FileSettings } from './settings.js';

/** Settings that a workspace may set only where VS Code lets it; the others are of the user alone. */
interface Property {
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
}

/** `package.json` of the extension, not yet checked. */
export interface Manifest {
  readonly packageJSON: unknown;
}

/** Effective values of all Gnomon settings, with their sources and overridden values, by name. */
export function effectiveValues(host: Settings, settings: FileSettings, { packageJSON }: Manifest): readonly EffectiveValue[] {
  const properties = propertiesOf(packageJSON);
  return Object.keys(properties)
    .sort()
    .map((name): EffectiveValue => {
      const key = SETTING_KEYS.find(({ setting }) => setting === name);
      if (key === undefined) return ofVsCode(host, name, properties[name]?.scope);
      const { value, origin, overridden } = settings.choice(key);
      return {
        key: name,
        value,
        ...present({ origin }),
        overridden: [...overridden, ...ofWorkspace(host.inspect(name), name).map((each) => ({ ...each, why: t('A workspace cannot set this.') }))],
      };
    });
}

/** Descriptions of settings from the manifest. */
export function settingDescriptions({ packageJSON }: Manifest): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(propertiesOf(packageJSON)).flatMap(([key, { description, markdownDescription }]) => {
      const text = description ?? (markdownDescription === undefined ? undefined : plain(markdownDescription));
      return text === undefined ? [] : [[key, text] as const];
    }),
  );
}

/** Markdown of the manifest as plain text: it has code, names of settings, bold texts, and links, and nothing else. */
function plain(markdown: string): string {
  return markdown.replace(
    /`#?([^`]*?)#?`|\*\*([^*]+)\*\*|\[([^\]]*)\]\([^)]*\)/g,
    (_all, code?: string, bold?: string, link?: string) => code ?? bold ?? link ?? '',
  );
}

/** Of a setting that no file can have, the value in VS Code. */
function ofVsCode(host: Settings, name: string, scope: string | undefined): EffectiveValue {
  const found = host.inspect(name);
  const isOfUserAlone = ['application', 'machine'].includes(scope ?? '');
  const values = [...ofWorkspace(found, name), ...(found.globalValue === undefined ? [] : [{ origin: originInVsCode(name), value: found.globalValue }])];
  const counting = values.filter(({ origin }) => !isOfUserAlone || origin.layer === 'user');
  const [winner] = counting;
  const overridden = values
    .filter((each) => each !== winner)
    .map((each) => ({ ...each, why: counting.includes(each) ? countsLess(name, winner?.origin) : t('A workspace cannot set this.') }));
  return { key: name, value: winner === undefined ? found.defaultValue : winner.value, ...present({ origin: winner?.origin }), overridden };
}

function countsLess(name: string, winner: ConfigOrigin | undefined): string {
  return name.startsWith('gnomon.permissions.') ? t('The rules of all places add up.') : t('Overridden by {0}.', winner?.display ?? '');
}

/** The values in the settings of a workspace and of its folder. */
function ofWorkspace(found: SettingLayers, name: string): readonly { readonly origin: ConfigOrigin; readonly value: unknown }[] {
  return [
    { value: found.workspaceFolderValue, display: t('folder settings') },
    { value: found.workspaceValue, display: t('workspace settings') },
  ].flatMap(({ value, display }) => (value === undefined ? [] : [{ origin: { layer: 'project', file: name, display } as const, value }]));
}

function propertiesOf(manifest: unknown): Readonly<Record<string, Property>> {
  const { contributes } = manifest as { readonly contributes?: { readonly configuration?: unknown } };
  const parts = Array.isArray(contributes?.configuration) ? contributes.configuration : [contributes?.configuration];
  return Object.assign(
    {},
    ...parts.map((part: { readonly properties?: Readonly<Record<string, Property>> } | undefined) => part?.properties ?? {}),
  ) as Readonly<Record<string, Property>>;
}
