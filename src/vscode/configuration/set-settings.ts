import * as vscode from 'vscode';
import type { ReportedItem } from '../../config/report/report.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import { t } from '../../domain/l10n.js';
import { redact } from '../../text/redact.js';

/** Settings that a workspace may set only where VS Code lets it; the others are of the user alone. */
interface Property {
  readonly scope?: string;
}

/** The settings of Gnomon that are not as they come: what counts, who set it, and what is not used because of that. */
export function setSettings({ packageJSON }: vscode.ExtensionContext['extension']): readonly ReportedItem[] {
  const properties = propertiesOf(packageJSON);
  const config = vscode.workspace.getConfiguration();
  return Object.keys(properties).sort().flatMap((name): readonly ReportedItem[] => {
    const found = config.inspect(name);
    const isOfUserAlone = ['application', 'machine'].includes(properties[name]?.scope ?? '');
    const values = [
      { value: found?.workspaceFolderValue, origin: ofWorkspace(name, t('folder settings')) },
      { value: found?.workspaceValue, origin: ofWorkspace(name, t('workspace settings')) },
      { value: found?.globalValue, origin: { layer: 'user', file: name, display: t('user settings') } as const },
    ].filter(({ value }) => value !== undefined);
    const counting = values.filter(({ origin }) => !isOfUserAlone || origin.layer === 'user');
    const [winner] = counting;
    const lost = values.filter((each) => each !== winner).map(({ value, origin }) => ({ origin, why: counting.some((each) => each.origin === origin) ? t('Its value: {0}', shown(value)) : t('A workspace cannot set this.') }));
    if (winner !== undefined) return [{ name, origin: winner.origin, state: shown(winner.value), overridden: lost }];
    return lost.length === 0 ? [] : [{ name, state: t('as it comes: {0}', shown(found?.defaultValue)), overridden: lost }];
  });
}

function ofWorkspace(file: string, display: string): ConfigOrigin {
  return { layer: 'project', file, display };
}

/** Objects and lists may have keys and tokens in them, and are long; addresses may have passwords in them. */
function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? (Array.isArray(value) ? t('a list of {0}', value.length) : t('an object')) : redact(JSON.stringify(value));
}

function propertiesOf(manifest: unknown): Readonly<Record<string, Property>> {
  const { contributes } = manifest as { readonly contributes?: { readonly configuration?: unknown } };
  const parts = Array.isArray(contributes?.configuration) ? contributes.configuration : [contributes?.configuration];
  return Object.assign({}, ...parts.map((part: { readonly properties?: Readonly<Record<string, Property>> } | undefined) => part?.properties ?? {})) as Readonly<Record<string, Property>>;
}
