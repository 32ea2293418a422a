import { present } from '../../domain/present.js';
import type { Node } from 'jsonc-parser';
import { failsClosed, type HookDefinition, type HookHandler } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { JsonDocument } from '../../text/json-document.js';
import { forPlatform, HookFields } from './hook-fields.js';
import {
  Definitions,
  eachEvent,
  type HookPlace,
  type HookReading,
  type HookSource,
  itemsOf,
  readCondition,
  readMatcher,
  unsupported,
  usualMs,
} from './definitions.js';
import type { HookEventName } from '../../domain/hook/event.js';
import { CLAUDE_EVENTS, OTHER_CLAUDE_EVENTS } from './event-names.js';
import { Findings } from './findings.js';
import { fromJson, fromPlain, type SourceValue } from './source-value.js';

/** Types of handlers that Claude Code has besides, and Gnomon not. */
const OTHER_TYPES: ReadonlySet<string> = new Set(['prompt', 'agent', 'mcp_tool']);

/**
 * Reads the `hooks` of settings of Claude Code or Gnomon (code.claude.com/docs/en/hooks).
 * @param node the value of the key `hooks`
 */
export function readSettingsHooks(document: JsonDocument, node: Node, source: HookSource): HookReading {
  return readClaudeHooks(fromJson(document, node, ['hooks']), source);
}

/**
 * Reads the `hooks` of the front matter of an agent, a skill, or a command, which has the form of the settings.
 * @param value as it was parsed
 * @param lineAt from 1 on, of what is at a path; `undefined` where it is not known
 */
export function readFrontMatterHooks(value: unknown, lineAt: (path: readonly (string | number)[]) => number | undefined, source: HookSource): HookReading {
  return readClaudeHooks(fromPlain(value, ['hooks'], lineAt), source);
}

function readClaudeHooks(hooks: SourceValue, { origin, platform }: HookSource): HookReading {
  const definitions = new Definitions(new Findings(origin), platform);
  eachEvent(hooks, CLAUDE_EVENTS, OTHER_CLAUDE_EVENTS, definitions.findings, (_name, { event }, list) => {
    for (const group of itemsOf(list, definitions.findings)) readGroup(group, { event, dialect: 'claude' }, definitions);
  });
  return definitions.reading;
}

/** Reads a matcher with its hooks. A mistake that concerns all of them breaks each. */
export function readGroup(group: SourceValue, place: HookPlace, definitions: Definitions): void {
  const fields = new HookFields(group, definitions.findings);
  if (group.type !== 'object') fields.fail(group, t('This must be an object in braces, with “{0}” and “{1}”.', 'matcher', 'hooks'));
  const matcher = readMatcher(fields, place.event);
  const list = fields.take('hooks');
  if (list?.type !== 'list') {
    if (fields.broken === undefined)
      fields.fail(
        list ?? group,
        list === undefined ? t('The list “{0}” is missing here. It has to contain the hooks.', 'hooks') : t('This must be a list in brackets.'),
      );
    // The fields of a hook are known, only not here.
    for (const name of ['type', 'command', 'timeout']) fields.take(name);
    return definitions.add(fields, withMatcher(place, matcher), {});
  }
  for (const item of list.items) readHook(item, withMatcher(place, matcher), { definitions, broken: fields.broken });
  fields.rest();
}

function withMatcher(place: HookPlace, matcher: string | undefined): HookPlace {
  return matcher === undefined ? place : { ...place, matcher };
}

function readHook(
  item: SourceValue,
  place: HookPlace,
  { definitions, broken }: { readonly definitions: Definitions; readonly broken: string | undefined },
): void {
  const fields = new HookFields(item, definitions.findings);
  if (item.type !== 'object') fields.fail(item, t('A hook must be an object in braces, such as {0}.', '{ "type": "command", "command": "./check.sh" }'));
  const common = commonFields(fields, place);
  const handler = item.type === 'object' ? readHandler(fields, definitions.platform, common.onFailure) : undefined;
  if (handler === 'skipped') return;
  if (broken !== undefined && fields.broken === undefined) return definitions.add(fields, place, { ...common, ...present({ handler }), broken });
  definitions.add(fields, place, { ...common, ...present({ handler }) });
}

function commonFields(fields: HookFields, { event }: HookPlace): Partial<HookDefinition> {
  const statusMessage = fields.text('statusMessage');
  const once = fields.flag('once');
  const onFailure = fields.choice('onFailure', ['block', 'continue']);
  const isAsync = readAsync(fields, event);
  for (const name of ['asyncRewake', 'rewakeMessage', 'rewakeSummary']) fields.ignore(name, t('Gnomon waits for hooks and wakes nothing up later.'));
  const failure = isAsync ? 'continue' : onFailure;
  return {
    timeoutMs: fields.timeout('timeout', usualMs(event)),
    ...readCondition(fields, event),
    ...present({ statusMessage }),
    ...(once === true ? { once } : {}),
    ...present({ onFailure: failure }),
  };
}

/** Whether a hook has `async`. In Claude Code, such a hook cannot block anything; here it is waited for, and allows what it does not deny in time. */
function readAsync(fields: HookFields, event: HookEventName): boolean {
  const value = fields.peek('async');
  const isAsync = fields.flag('async') === true;
  if (!isAsync || value === undefined) return false;
  if (failsClosed({ event }))
    fields.findings.add(
      value,
      t('With “async”, this hook does not guard: if it fails or takes too long, the call goes on. Delete “async” to have it block then.'),
    );
  else fields.used(value, t('Gnomon waits for hooks with “async”; if one fails, nothing is blocked.'));
  return true;
}

/** `skipped` for a hook that is not for Gnomon. */
function readHandler(fields: HookFields, platform: NodeJS.Platform, onFailure: HookDefinition['onFailure']): HookHandler | 'skipped' | undefined {
  const named = fields.take('type');
  const type = named?.type === 'plain' ? named.value : undefined;
  if (typeof type === 'string' && OTHER_TYPES.has(type)) return unsupported(fields, type, onFailure) ? undefined : 'skipped';
  if (type === 'http') return readHttp(fields);
  if (type === 'command') return readCommand(fields, platform);
  fields.fail(
    named ?? fields.place,
    named === undefined
      ? t('The hook has no “type”. Possible types are {0}.', 'command, http')
      : t('There is no such type of hooks. Possible types are {0}.', 'command, http'),
  );
  return fields.has('command') ? readCommand(fields, platform) : undefined;
}

function readCommand(fields: HookFields, platform: NodeJS.Platform): HookHandler | undefined {
  if (!fields.has('command')) fields.fail(fields.place, t('The hook has no “command”.'));
  const command = fields.text('command');
  const args = fields.texts('args');
  const shell = fields.choice('shell', ['bash', 'powershell']);
  const cwd = fields.text('cwd');
  const env = fields.record('env');
  if (command === undefined) return undefined;
  return forPlatform(fields, { type: 'command', command, ...present({ args, shell, cwd, env }) }, platform);
}

function readHttp(fields: HookFields): HookHandler | undefined {
  if (!fields.has('url')) fields.fail(fields.place, t('The hook has no “url”.'));
  const url = fields.text('url');
  const headers = fields.record('headers') ?? {};
  const allowedEnvVars = fields.texts('allowedEnvVars') ?? [];
  if (url === undefined) return undefined;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) fields.fail(fields.place, t('The address must begin with {0} or {1}.', 'https://', 'http://'));
  return { type: 'http', url, headers, allowedEnvVars };
}
