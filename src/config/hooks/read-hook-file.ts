import type { ConfigOrigin } from '../../domain/config/origin.js';
import { isFromRepository } from '../../domain/config/origin.js';
import { t } from '../../domain/l10n.js';
import { JsonDocument, propertiesOf } from '../../text/json-document.js';
import { readSettingsHooks } from './claude-hooks.js';
import { readCopilotHooks } from './copilot-hooks.js';
import { readCursorHooks } from './cursor-hooks.js';
import type { HookReading } from './definitions.js';

/** What a file says of hooks. */
export interface HookFileReading extends HookReading {
  /** Whether it switches off the hooks of all files that are not the organization’s. */
  readonly disablesAll?: true;
}

/** Reads a whole file with hooks: settings, or one of Cursor or Copilot. */
export function readHookFile(text: string, form: 'settings' | 'cursor' | 'copilot', { origin, platform }: { readonly origin: ConfigOrigin; readonly platform: NodeJS.Platform }): HookFileReading {
  const document = new JsonDocument(origin.file, text, { lenient: true });
  if (form === 'cursor') return readCursorHooks(document, { origin, platform });
  if (form === 'copilot') return readCopilotHooks(document, { origin, platform });
  return readSettings(document, { origin, platform });
}

function readSettings(document: JsonDocument, source: { readonly origin: ConfigOrigin; readonly platform: NodeJS.Platform }): HookFileReading {
  const { root } = document;
  if (root !== undefined && root.type !== 'object') document.add([], root, t('The file must contain an object in braces.'));
  const hooks = propertiesOf(root).findLast(({ name }) => name === 'hooks');
  const off = propertiesOf(root).findLast(({ name }) => name === 'disableAllHooks');
  const disables = off?.value.value === true;
  if (off !== undefined && typeof off.value.value !== 'boolean') document.add(['disableAllHooks'], off.value, t('“{0}” must be true or false.', 'disableAllHooks'));
  // Otherwise, a repository could switch off the hooks that guard against it.
  const refused = disables && isFromRepository(source.origin);
  if (refused) document.add(['disableAllHooks'], off.value, t('A workspace cannot switch off hooks. Set this in {0}.', '~/.gnomon/settings.json'));
  const reading = hooks === undefined ? { definitions: [], problems: [], fields: [] } : readSettingsHooks(document, hooks.value, source);
  return { ...reading, problems: [...document.problems, ...reading.problems], ...(disables && !refused ? { disablesAll: true as const } : {}) };
}
