import { present } from '../../domain/present.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { JsonDocument } from '../../text/json-document.js';
import { forPlatform, HookFields } from './hook-fields.js';
import {
  Definitions,
  eachEvent,
  fileFolder,
  type HookPlace,
  type HookReading,
  type HookSource,
  itemsOf,
  readMatcher,
  unsupported,
  usualMs,
} from './definitions.js';
import { CURSOR_EVENTS, type MappedEvent, OTHER_CURSOR_EVENTS } from './event-names.js';
import { Findings } from './findings.js';
import { fromJson, type SourceValue } from './source-value.js';
import { hooksOfFile } from './whole-file.js';

/** Events whose matcher is about the name of a tool, of an agent, or of what triggered it, as in Gnomon. For the others it is about something else. */
const MATCHED: ReadonlySet<string> = new Set([
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'beforeMCPExecution',
  'afterMCPExecution',
  'subagentStart',
  'subagentStop',
  'preCompact',
]);

/** Reads a `hooks.json` of Cursor (cursor.com/docs/agent/hooks, version 1). Its hooks get Cursor’s fields and answer with them. */
export function readCursorHooks(document: JsonDocument, { origin, platform }: HookSource): HookReading {
  const findings = new Findings(origin);
  const definitions = new Definitions(findings, platform);
  const hooks = document.root === undefined ? undefined : hooksOfFile(fromJson(document, document.root), findings, true);
  if (hooks !== undefined) {
    eachEvent(hooks, CURSOR_EVENTS, OTHER_CURSOR_EVENTS, findings, (name, mapped, list) => {
      findings.report(
        list,
        'used',
        name === 'beforeReadFile'
          ? t('Runs as {0}. The content of the file is not passed on, as nothing is read before permission.', mapped.event)
          : t('Runs as {0}.', mapped.event),
      );
      for (const item of itemsOf(list, findings)) readHook(item, placeOf(name, mapped), definitions);
    });
  }
  const { reading } = definitions;
  return { ...reading, problems: [...document.problems, ...reading.problems] };
}

function placeOf(foreignEvent: string, { event, matcher }: MappedEvent): HookPlace {
  return { event, dialect: 'cursor', foreignEvent, ...present({ matcher }) };
}

function readHook(item: SourceValue, place: HookPlace, definitions: Definitions): void {
  const fields = new HookFields(item, definitions.findings);
  if (item.type !== 'object') fields.fail(item, t('A hook must be an object in braces, such as {0}.', '{ "command": "./check.sh" }'));
  const failClosed = fields.flag('failClosed');
  const onFailure: HookDefinition['onFailure'] = failClosed === undefined ? undefined : failClosed ? 'block' : 'continue';
  const type = fields.has('type') ? fields.text('type') : 'command';
  if (type === 'prompt' && !unsupported(fields, type, onFailure)) return;
  if (type !== undefined && type !== 'command' && type !== 'prompt') fields.fail(item, t('There is no such type of hooks. Possible types are {0}.', 'command'));
  const matcher = ownMatcher(fields, place);
  fields.ignore('loop_limit', t('Gnomon has a limit of its own for hooks that continue a turn.'));
  const timeoutMs = fields.timeout('timeout', usualMs(place.event));
  if (item.type === 'object' && type === 'command' && !fields.has('command')) fields.fail(item, t('The hook has no “command”.'));
  const command = fields.text('command');
  const handler =
    command === undefined ? undefined : forPlatform(fields, { type: 'command', command, ...fileFolder(definitions.findings.origin) }, definitions.platform);
  definitions.add(fields, { ...place, ...present({ matcher }) }, { timeoutMs, ...present({ handler, onFailure }) });
}

/** The matcher that a hook has itself, where Gnomon compares it with the same. Where not, the hook runs for all that its event is about. */
function ownMatcher(fields: HookFields, { event, foreignEvent = '' }: HookPlace): string | undefined {
  if (!MATCHED.has(foreignEvent)) {
    fields.ignore('matcher', t('In Cursor, the matcher of “{0}” is compared with something else than here, so the hook runs for everything.', foreignEvent));
    return undefined;
  }
  const matcher = readMatcher(fields, event);
  return matcher === '' || matcher === '*' ? undefined : matcher;
}
