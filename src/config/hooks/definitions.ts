import { present } from '../../domain/present.js';
import { dirname } from 'node:path';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import { type HookDefinition, type HookDialect, type HookHandler, failsClosed } from '../../domain/hook/definition.js';
import { type HookEventName, TOOL_EVENTS } from '../../domain/hook/event.js';
import { matchesNoTool, parseMatcher } from '../../domain/hook/matcher-syntax.js';
import { t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';
import { nearestName } from '../nearest-name.js';
import type { MappedEvent } from './event-names.js';
import type { Findings } from './findings.js';
import type { HookFields } from './hook-fields.js';
import type { SourceValue } from './source-value.js';

/** Hooks of one file: each is looked at before it is approved, and matched with every call. */
const MAX_HOOKS = 200;
/** Milliseconds that a hook may take that does not say how long. The window waits for those of `SessionEnd`. */
const USUAL_MS = { sessionEnd: 1_500, other: 60_000 };
/** Changes of characters by which the name of an event is off that was mistyped. */
const MAX_MISTYPED = 2;
/** A command line that could never run stands for one that is missing. */
const NOTHING: HookHandler = { type: 'command', command: '' };

/** The hooks of one file, the states of its fields, and its problems. */
export interface HookReading {
  /** In the order of the file. */
  readonly definitions: readonly HookDefinition[];
  readonly problems: readonly ConfigProblem[];
  readonly fields: readonly FieldReport[];
}

/** Where hooks are read from, and for which system: some files have a command for each. */
export interface HookSource {
  readonly origin: ConfigOrigin;
  readonly platform: NodeJS.Platform;
}

/** Context of a hook besides its own fields. */
export interface HookPlace {
  readonly event: HookEventName;
  readonly dialect: HookDialect;
  readonly foreignEvent?: string;
  readonly matcher?: string;
}

/** Makes definitions of the hooks of one file. */
export class Definitions {
  private readonly made: HookDefinition[] = [];
  private isTooMuch = false;

  constructor(
    readonly findings: Findings,
    readonly platform: NodeJS.Platform,
  ) {}

  get reading(): HookReading {
    const { problems, fields } = this.findings;
    return { definitions: this.made, problems, fields };
  }

  /**
   * Adds a hook whose fields were read. One with a mistake is left out, unless it guards something: then it stays as one that
   * never answers, so that the mistake does not open the guard.
   */
  add(fields: HookFields, place: HookPlace, { handler = NOTHING, ...more }: Partial<HookDefinition>): void {
    fields.rest();
    const { line } = fields.place;
    const origin: ConfigOrigin = { ...this.findings.origin, ...present({ line }) };
    const hook: HookDefinition = { timeoutMs: usualMs(place.event), ...more, ...place, handler, origin, ...present({ broken: fields.broken }) };
    if (fields.broken !== undefined && !failsClosed(hook)) return;
    if (this.made.length < MAX_HOOKS) this.made.push(hook);
    else if (!this.isTooMuch) this.findings.add(fields.place, t('The file has more than {0} hooks. Those after them are not used.', MAX_HOOKS));
    this.isTooMuch ||= this.made.length === MAX_HOOKS && this.made.at(-1) !== hook;
  }
}

/** Milliseconds that hooks of an event may take unless they say otherwise. */
export function usualMs(event: HookEventName): number {
  return event === 'SessionEnd' ? USUAL_MS.sessionEnd : USUAL_MS.other;
}

/** Calls back for each event of a file that Gnomon has, and notes all others. */
export function eachEvent(
  hooks: SourceValue,
  known: Readonly<Record<string, MappedEvent>>,
  others: ReadonlySet<string>,
  findings: Findings,
  read: (name: string, mapped: MappedEvent, list: SourceValue) => void,
): void {
  if (hooks.type !== 'object') {
    findings.add(hooks, t('“{0}” must be an object in braces, with a list of hooks for each event.', 'hooks'));
    return;
  }
  const seen = new Set<string>();
  for (const { name, value } of hooks.fields) {
    const mapped = Object.hasOwn(known, name) ? known[name] : undefined;
    if (seen.has(name)) findings.add(value, t('This key is there twice. Both are used.'), true);
    seen.add(name);
    if (mapped !== undefined) read(name, mapped, value);
    else if (others.has(name)) findings.report(value, 'ignored', t('Gnomon does not have the event “{0}”.', name));
    else findings.add(value, unknownEvent(name, [...Object.keys(known), ...others]));
  }
}

/** Programs get new events with every few versions: a name that only could be one is not taken for a typing error. */
function unknownEvent(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known, MAX_MISTYPED);
  if (nearest !== undefined) return t('There is no event “{0}”. Did you mean “{1}”?', shownName(name), nearest);
  if (!/^[A-Za-z][A-Za-z0-9]{1,63}$/.test(name)) return t('There is no event “{0}”.', shownName(name));
  return t('The event “{0}” is newer than this version of Gnomon knows, or there is no such event. Its hooks do not run.', name);
}

/** The items of a list of hooks; none, with a note, for anything else. */
export function itemsOf(list: SourceValue, findings: Findings): readonly SourceValue[] {
  if (list.type === 'list') return list.items;
  findings.add(list, t('This must be a list in brackets.'));
  return [];
}

/** Reads a matcher. One that cannot be used does not switch off what guards something; it is for all then. */
export function readMatcher(fields: HookFields, event: HookEventName): string | undefined {
  const value = fields.take('matcher');
  if (value === undefined || (value.type === 'plain' && value.value === null)) return undefined;
  if (value.type !== 'plain' || typeof value.value !== 'string') {
    fields.fail(value, t('The matcher must be a text in double quotes.'));
    return undefined;
  }
  const matcher = value.value;
  const parsed = parseMatcher(matcher);
  if (parsed.type === 'unusable') {
    fields.findings.add(
      value,
      parsed.why === 'too_long'
        ? t('The matcher is too long, so it is not compared with anything.')
        : t('The matcher is neither a list of names nor a valid regular expression.'),
    );
  } else if (TOOL_EVENTS.has(event) && matchesNoTool(matcher)) {
    fields.findings.add(
      value,
      t(
        'The matcher “{0}” can match nothing: it is compared with the name of the tool alone, ' +
          'and none has such characters. If it is to be about arguments, put it into “if”.',
        shownName(matcher),
      ),
    );
  } else if (/\w\(/.test(matcher) && TOOL_EVENTS.has(event)) {
    const looksLikeRule = /\([^)]*[\s:*/]/.test(matcher);
    fields.findings.add(
      value,
      t('A matcher is compared with the name of the tool alone. If “{0}” is to be about arguments, put it into “if”.', shownName(matcher)),
      !looksLikeRule,
    );
  }
  fields.used(value);
  return matcher;
}

/** The rule that a call has to match as well. */
export function readCondition(fields: HookFields, event: HookEventName): { readonly condition?: string } {
  if (!TOOL_EVENTS.has(event)) {
    fields.ignore('if', t('Only events about tool calls have conditions.'));
    return {};
  }
  const condition = fields.text('if');
  return condition === undefined ? {} : { condition };
}

/** A type of handler that Gnomon does not run. It blocks only where the file says that failing blocks: in the other program it may never have. */
export function unsupported(fields: HookFields, type: string, onFailure: HookDefinition['onFailure']): boolean {
  const message = t('Gnomon does not run hooks of the type “{0}”.', shownName(type));
  if (onFailure === 'block') fields.fail(fields.place, message);
  else fields.findings.add(fields.place, message);
  return onFailure === 'block';
}

/** The folder of a file outside of every workspace, in which the hooks of some programs run. */
export function fileFolder({ folder, file }: ConfigOrigin): { readonly cwd?: string } {
  return folder === undefined ? { cwd: dirname(file) } : {};
}
