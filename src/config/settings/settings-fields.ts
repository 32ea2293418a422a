import { type ConfigOrigin, isFromRepository } from '../../domain/config/origin.js';
import type { FieldReport } from '../../domain/config/problem.js';
import { t } from '../../domain/l10n.js';
import { JsonDocument, propertiesOf } from '../../text/json-document.js';
import { shownName } from '../../text/key-path.js';

/** Fields of a settings file that Gnomon reads itself. */
const USED: ReadonlySet<string> = new Set(['hooks', 'permissions', 'disableAllHooks', 'allowedHttpHookUrls', '$schema']);
/** Fields that could lead a key, a request, or a program of the user elsewhere: never taken from a file of a repository. */
const POWERFUL: ReadonlySet<string> = new Set(['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'env', 'forceLoginMethod', 'otelHeadersHelper', 'sandbox', 'statusLine']);
/** Lists of `permissions` that count. */
const LISTS: ReadonlySet<string> = new Set(['allow', 'ask', 'deny']);
/** Fields that are reported; a hostile file could have any number. */
const MAX_FIELDS = 100;

/**
 * What becomes of the fields of a settings file in the form of Claude Code (code.claude.com/docs/en/settings), by the names at its top and
 * in `permissions`. None for a file that is not valid JSON.
 */
export function settingsFields(text: string, origin: ConfigOrigin): readonly FieldReport[] {
  const document = new JsonDocument(origin.file, text, { lenient: true });
  const fields = propertiesOf(document.root).flatMap((property): readonly FieldReport[] => {
    const at = (field: string, report: Omit<FieldReport, 'field' | 'line'>, node = property.nameNode): FieldReport => {
      const line = document.lineOf(node);
      return { field, ...report, ...(line === undefined ? {} : { line }) };
    };
    if (property.name !== 'permissions') return [at(shownName(property.name), reportOf(property.name, origin))];
    return propertiesOf(property.value).map(({ name, nameNode, value }) => at(`permissions.${shownName(name)}`, permissionReport(name, value.value, origin), nameNode));
  });
  return fields.slice(0, MAX_FIELDS);
}

function reportOf(name: string, origin: ConfigOrigin): Omit<FieldReport, 'field' | 'line'> {
  if (name === 'allowedHttpHookUrls' && isFromRepository(origin)) return { state: 'refused', note: t('A workspace cannot limit the addresses of hooks. Set this in {0}.', '~/.gnomon/settings.json') };
  if (USED.has(name)) return { state: 'used' };
  if (POWERFUL.has(name) && isFromRepository(origin)) return { state: 'refused', note: t('A workspace cannot set this. It could lead your keys or programs elsewhere.') };
  return { state: 'ignored', note: t('Gnomon does not use this. It has settings of its own in the settings of VS Code.') };
}

function permissionReport(name: string, value: unknown, origin: ConfigOrigin): Omit<FieldReport, 'field' | 'line'> {
  if (LISTS.has(name)) return name === 'allow' && isFromRepository(origin) ? { state: 'used', note: t('Once the workspace is trusted and you have approved the list.') } : { state: 'used' };
  if (name === 'defaultMode' && value === 'bypassPermissions' && isFromRepository(origin)) return { state: 'refused', note: t('A workspace cannot bypass permissions.') };
  return { state: 'ignored', note: t('Gnomon does not use this. It has settings of its own in the settings of VS Code.') };
}
