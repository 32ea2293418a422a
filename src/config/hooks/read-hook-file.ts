import { present } from '../../domain/present.js';
import type { Node } from 'jsonc-parser';
import { type ConfigOrigin, isFromRepository } from '../../domain/config/origin.js';
import { t } from '../../domain/l10n.js';
import { JsonDocument, propertiesOf } from '../../text/json-document.js';
import { type UrlPattern, parseUrlPattern } from '../../text/url-pattern.js';
import { readSettingsHooks } from './claude-hooks.js';
import { readCopilotHooks } from './copilot-hooks.js';
import { readCursorHooks } from './cursor-hooks.js';
import type { HookReading } from './definitions.js';

const ALLOWED_URLS = 'allowedHttpHookUrls';

/** Parsed hooks and hook settings of a file. */
export interface HookFileReading extends HookReading {
  /** Whether it switches off the hooks of all files that are not the organization’s. */
  readonly disablesAll?: true;
  /** The only addresses that `http` hooks of all files may have; absent: the file does not limit them. */
  readonly allowedUrls?: readonly UrlPattern[];
}

/** Reads a whole file with hooks: settings, or one of Cursor or Copilot. */
export function readHookFile(
  text: string,
  form: 'settings' | 'cursor' | 'copilot',
  { origin, platform }: { readonly origin: ConfigOrigin; readonly platform: NodeJS.Platform },
): HookFileReading {
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
  if (off !== undefined && typeof off.value.value !== 'boolean')
    document.add(['disableAllHooks'], off.value, t('“{0}” must be true or false.', 'disableAllHooks'));
  // Otherwise, a repository could switch off the hooks that guard against it.
  const refused = disables && isFromRepository(source.origin);
  if (refused) document.add(['disableAllHooks'], off.value, t('A workspace cannot switch off hooks. Set this in {0}.', '~/.gnomon/settings.json'));
  const urls = readUrls(document, root, source.origin);
  const reading = hooks === undefined ? { definitions: [], problems: [], fields: [] } : readSettingsHooks(document, hooks.value, source);
  return {
    ...reading,
    problems: [...document.problems, ...reading.problems],
    ...(disables && !refused ? { disablesAll: true as const } : {}),
    ...present({ allowedUrls: urls }),
  };
}

/** Reads the allowed URLs. Invalid ones allow nothing: a mistake must not lift the limit. */
function readUrls(document: JsonDocument, root: Node | undefined, origin: ConfigOrigin): readonly UrlPattern[] | undefined {
  const list = propertiesOf(root).findLast(({ name }) => name === ALLOWED_URLS)?.value;
  if (list === undefined) return undefined;
  // Otherwise, a repository could switch off hooks that call a server.
  if (isFromRepository(origin)) {
    document.add([ALLOWED_URLS], list, t('A workspace cannot limit the addresses of hooks. Set this in {0}.', '~/.gnomon/settings.json'));
    return undefined;
  }
  if (list.type !== 'array') {
    document.add(
      [ALLOWED_URLS],
      list,
      t('“{0}” must be a list of addresses, such as {1}. Until it is, no hook may call any.', ALLOWED_URLS, '["https://hooks.example.com/*"]'),
    );
    return [];
  }
  return (list.children ?? []).flatMap((node, index) => {
    const pattern = typeof node.value === 'string' ? parseUrlPattern(node.value) : undefined;
    if (pattern === undefined)
      document.add(
        [ALLOWED_URLS, index],
        node,
        t('This must be an address, in which * stands for any characters, such as {0}.', 'https://hooks.example.com/*'),
      );
    return pattern === undefined ? [] : [pattern];
  });
}
