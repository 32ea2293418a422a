import { readFile } from 'node:fs/promises';
import type { ConfigOrigin } from '../../../../src/domain/config/origin.js';
import { readSettingsHooks } from '../../../../src/config/hooks/claude-hooks.js';
import { readCopilotHooks } from '../../../../src/config/hooks/copilot-hooks.js';
import { readCursorHooks } from '../../../../src/config/hooks/cursor-hooks.js';
import type { HookReading } from '../../../../src/config/hooks/definitions.js';
import { JsonDocument, propertiesOf } from '../../../../src/text/json-document.js';

/** Whose form a file has. */
export type Form = 'claude' | 'cursor' | 'copilot';

/** Reads a file of a workspace. */
export function read(form: Form, text: string, platform: NodeJS.Platform = 'linux'): HookReading {
  const display = { claude: '.claude/settings.json', cursor: '.cursor/hooks.json', copilot: '.github/hooks/hooks.json' }[form];
  const origin: ConfigOrigin = { layer: 'project', file: `/ws/${display}`, display, folder: '/ws' };
  const document = new JsonDocument(origin.file, text, { lenient: true });
  if (form === 'cursor') return readCursorHooks(document, { origin, platform });
  if (form === 'copilot') return readCopilotHooks(document, { origin, platform });
  const hooks = propertiesOf(document.root).find(({ name }) => name === 'hooks');
  if (hooks === undefined) throw new Error(`There are no hooks in ${text}.`);
  return readSettingsHooks(document, hooks.value, { origin, platform });
}

/** The text of a file of the corpus, such as `claude/flat.json`. */
export function corpusText(name: string): Promise<string> {
  return readFile(`test/fixtures/config-corpus/hooks/${name}`, 'utf8');
}

/** A reading on one line for each hook, problem, and field that is not just used. */
export function lines({ definitions, problems, fields }: HookReading): readonly string[] {
  return [
    ...definitions.map(({ event, foreignEvent, matcher, condition, handler, timeoutMs, once, onFailure, statusMessage, broken, origin }) =>
      [
        `hook ${origin.line ?? '-'}: ${event}`,
        foreignEvent,
        JSON.stringify({ matcher, condition, ...handler, timeoutMs, once, onFailure, statusMessage }),
        broken === undefined ? '' : `BROKEN ${broken}`,
      ]
        .filter((part) => part !== undefined && part !== '')
        .join(' '),
    ),
    ...problems.map(({ key, line, message, harmless }) => `${harmless === true ? 'note' : 'problem'} ${key}:${line ?? '-'} ${message}`),
    ...fields
      .filter(({ field, state, note }) => (state !== 'used' || note !== undefined) && !problems.some(({ key, message }) => key === field && message === note))
      .map(({ field, state, note, line }) => `${state} ${field}:${line ?? '-'} ${note ?? ''}`),
  ];
}
