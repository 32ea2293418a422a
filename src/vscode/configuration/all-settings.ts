import * as vscode from 'vscode';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import { t } from '../../domain/l10n.js';
import type { EffectiveValue } from './report.js';

/** Settings that a workspace may set only where VS Code lets it; the others are of the user alone. */
interface Property {
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
}

type Manifest = Pick<vscode.ExtensionContext['extension'], 'packageJSON'>;

/** All settings of Gnomon in VS Code: what counts, who set it, and what is not used because of that. */
export function allSettings({ packageJSON }: Manifest): readonly EffectiveValue[] {
  const properties = propertiesOf(packageJSON);
  const config = vscode.workspace.getConfiguration();
  return Object.keys(properties).sort().map((key): EffectiveValue => {
    const found = config.inspect(key);
    const isOfUserAlone = ['application', 'machine'].includes(properties[key]?.scope ?? '');
    const values = [
      { value: found?.workspaceFolderValue, origin: ofWorkspace(key, t('folder settings')) },
      { value: found?.workspaceValue, origin: ofWorkspace(key, t('workspace settings')) },
      { value: found?.globalValue, origin: { layer: 'user', file: key, display: t('user settings') } as const },
    ].filter(({ value }) => value !== undefined);
    const counting = values.filter(({ origin }) => !isOfUserAlone || origin.layer === 'user');
    const [winner] = counting;
    const overridden = values.filter((each) => each !== winner).map((each) => ({ ...each, why: counting.includes(each) ? t('A stronger setting counts.') : t('A workspace cannot set this.') }));
    return winner === undefined ? { key, value: found?.defaultValue, overridden } : { key, ...winner, overridden };
  });
}

/** What each setting is for, as the manifest says. */
export function settingDescriptions({ packageJSON }: Manifest): ReadonlyMap<string, string> {
  return new Map(Object.entries(propertiesOf(packageJSON)).flatMap(([key, { markdownDescription, description = markdownDescription }]) => (description === undefined ? [] : [[key, description] as const])));
}

function ofWorkspace(file: string, display: string): ConfigOrigin {
  return { layer: 'project', file, display };
}

function propertiesOf(manifest: unknown): Readonly<Record<string, Property>> {
  const { contributes } = manifest as { readonly contributes?: { readonly configuration?: unknown } };
  const parts = Array.isArray(contributes?.configuration) ? contributes.configuration : [contributes?.configuration];
  return Object.assign({}, ...parts.map((part: { readonly properties?: Readonly<Record<string, Property>> } | undefined) => part?.properties ?? {})) as Readonly<Record<string, Property>>;
}
