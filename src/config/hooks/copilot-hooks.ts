import { present } from '../../domain/present.js';
import type { HookHandler } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { JsonDocument } from '../../text/json-document.js';
import { readGroup } from './claude-hooks.js';
import { forPlatform, HookFields } from './hook-fields.js';
import { Definitions, eachEvent, type HookPlace, type HookReading, type HookSource, itemsOf, readMatcher, unsupported, usualMs } from './definitions.js';
import { CLAUDE_EVENTS, COPILOT_EVENTS, OTHER_CLAUDE_EVENTS, OTHER_COPILOT_EVENTS } from './event-names.js';
import { Findings } from './findings.js';
import { fromJson, fromPlain, type SourceValue } from './source-value.js';
import { hooksOfFile } from './whole-file.js';

type CommandHandler = Extract<HookHandler, { type: 'command' }>;

/** Keys of a command for one system in the form of VS Code, by platform. */
const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { win32: 'windows', linux: 'linux', darwin: 'osx' };

/**
 * Reads a file of `.github/hooks`, which Copilot CLI and VS Code share: events in lowerCamelCase with `bash` and `powershell` are those of
 * Copilot CLI (docs.github.com, Copilot CLI hooks reference), and those in PascalCase with `command`, `windows`, `linux` and `osx` those of
 * VS Code (code.visualstudio.com/docs/copilot/customization/hooks).
 */
export function readCopilotHooks(document: JsonDocument, { origin, platform }: HookSource): HookReading {
  const findings = new Findings(origin);
  const definitions = new Definitions(findings, platform);
  const hooks = document.root === undefined ? undefined : hooksOfFile(fromJson(document, document.root), findings, false);
  if (hooks !== undefined) readEvents(hooks, definitions);
  const { reading } = definitions;
  return { ...reading, problems: [...document.problems, ...reading.problems] };
}

/**
 * Reads the `hooks` of the front matter of an agent of VS Code, which has the form of these files
 * (code.visualstudio.com/docs/copilot/customization/hooks, "Agent-scoped hooks").
 * @param value as it was parsed
 * @param lineAt from 1 on, of what is at a path; `undefined` where it is not known
 */
export function readVsCodeAgentHooks(
  value: unknown,
  lineAt: (path: readonly (string | number)[]) => number | undefined,
  { origin, platform }: HookSource,
): HookReading {
  const definitions = new Definitions(new Findings(origin), platform);
  readEvents(fromPlain(value, ['hooks'], lineAt), definitions);
  return definitions.reading;
}

function readEvents(hooks: SourceValue, definitions: Definitions): void {
  const { findings } = definitions;
  eachEvent(hooks, { ...CLAUDE_EVENTS, ...COPILOT_EVENTS }, new Set([...OTHER_COPILOT_EVENTS, ...OTHER_CLAUDE_EVENTS]), findings, (name, { event }, list) => {
    const isCli = Object.hasOwn(COPILOT_EVENTS, name);
    if (isCli) findings.report(list, 'used', t('Runs as {0}.', event));
    for (const item of itemsOf(list, findings)) readItem(item, { event, dialect: 'copilot', ...(isCli ? { foreignEvent: name } : {}) }, definitions);
  });
}

function readItem(item: SourceValue, place: HookPlace, definitions: Definitions): void {
  // VS Code also reads the form of Claude Code, with a matcher around the hooks.
  if (item.type === 'object' && item.fields.some(({ name }) => name === 'hooks')) return readGroup(item, place, definitions);
  const fields = new HookFields(item, definitions.findings);
  if (item.type !== 'object') fields.fail(item, t('A hook must be an object in braces, such as {0}.', '{ "type": "command", "command": "./check.sh" }'));
  const onFailure = fields.choice('onFailure', ['block', 'continue']);
  const type = fields.has('type') ? fields.text('type') : 'command';
  if (type === 'prompt' && !unsupported(fields, type, onFailure)) return;
  if (type !== undefined && type !== 'command' && type !== 'prompt') fields.fail(item, t('There is no such type of hooks. Possible types are {0}.', 'command'));
  const matcher = readMatcher(fields, place.event);
  const timeoutMs = fields.timeout(fields.has('timeoutSec') ? 'timeoutSec' : 'timeout', usualMs(place.event));
  const handler = item.type === 'object' && type === 'command' ? readCommand(fields, definitions.platform) : undefined;
  definitions.add(fields, { ...place, ...present({ matcher }) }, { timeoutMs, ...present({ handler, onFailure }) });
}

/** The command for this system. One for another system alone is used as it is, so that its hook is never skipped silently. */
function readCommand(fields: HookFields, platform: NodeJS.Platform): CommandHandler | undefined {
  const cwd = fields.text('cwd');
  const env = fields.record('env');
  const more = present({ cwd, env });
  const commands = new Map(['bash', 'powershell', 'command', 'windows', 'linux', 'osx'].map((key) => [key, fields.text(key)]));
  const system = commands.get(SYSTEMS[platform] ?? 'linux') ?? commands.get('command');
  if (system !== undefined) return forPlatform(fields, { type: 'command', command: system, ...more }, platform);
  const order = platform === 'win32' ? (['powershell', 'bash'] as const) : (['bash', 'powershell'] as const);
  const shell = order.find((each) => commands.get(each) !== undefined);
  const command = shell === undefined ? undefined : commands.get(shell);
  if (shell !== undefined && command !== undefined) return forPlatform(fields, { type: 'command', command, shell, ...more }, platform);
  if (fields.broken === undefined)
    fields.fail(
      fields.place,
      [...commands.values()].some((each) => each !== undefined) ? t('The hook has no command for this system.') : t('The hook has no command.'),
    );
  return undefined;
}
