import { present } from '../../domain/present.js';
import type { ToolCallBlock } from '../../domain/model/content.js';
import type { Plan } from '../../domain/tool/tool.js';
import type { ViewToolCall } from '../../protocol/view-state.js';
import { parseArguments } from '../../engine/tool-call/arguments.js';
import { showCommand, showName } from '../../text/show.js';
import { formsOf } from '../../tool/calls/forms.js';
import { readableFields } from '../../tool/calls/lenient.js';

/** Characters of a subject that was read from arguments not yet planned. */
const MAX_SUBJECT = 200;
/** The argument that says what a call is about, by habit of the built-in tools. */
const SUBJECT_KEYS = ['file_path', 'command', 'pattern', 'url', 'question', 'name', 'path'] as const;
/** Arguments that are paths. */
const PATH_KEYS: ReadonlySet<string> = new Set(['file_path', 'path']);

/** Shortens the path of a file for display: relative to the workspace where it is in it. */
export type ShortPath = (path: string) => string;

/** Subject and topic of a call, for the user. */
export type CallSubject = Pick<ViewToolCall, 'subject' | 'topic'>;

type Arguments = Readonly<Record<string, unknown>>;

/** Subject of a call: from its plan, or from its arguments while there is no plan. */
export function subjectOf(call: ToolCallBlock, plan: Plan | undefined, short: ShortPath): CallSubject {
  const args = plan === undefined ? writtenArguments(call) : plan.args;
  const known = typeof args === 'object' && args !== null ? (args as Arguments) : {};
  const topic = plan?.foreign === undefined ? topicOf(call.name, known, short) : undefined;
  return { subject: plan?.subject ?? rawSubject(known, short), ...present({ topic }) };
}

function topicOf(tool: string, args: Arguments, short: ShortPath): ViewToolCall['topic'] {
  switch (tool) {
    case 'grep':
    case 'glob':
      return { ...given('what', args['pattern']), ...given('where', args['path'], short) };
    case 'list':
      return given('where', args['path'], short);
    case 'symbols':
      return { ...given('action', args['action']), ...given('what', args['name'] ?? args['path'], args['name'] === undefined ? short : undefined) };
    case 'web_search':
    case 'find_tools':
      return given('what', args['query']);
    case 'jobs':
      return { ...given('action', args['action']), ...given('what', args['id']) };
    case 'apply_patch':
      return patchTopic(args['patch'], short);
    case 'agent':
      return { ...given('what', agentWork(args)), ...(args['background'] === true ? { action: 'background' } : {}) };
    case 'bash':
      return args['background'] === true && typeof args['command'] === 'string' ? { action: 'background', what: showCommand(args['command']) } : undefined;
    default:
      return undefined;
  }
}

/** Which agent works on what. */
function agentWork({ agent_type: type = 'general', description }: Arguments): string | undefined {
  return typeof type === 'string' && typeof description === 'string' ? `${type}: ${description}` : undefined;
}

function given<K extends string>(key: K, value: unknown, short?: ShortPath): { readonly [P in K]?: string } {
  if (typeof value !== 'string' || value === '') return {};
  return { [key]: showName((short?.(value) ?? value).slice(0, MAX_SUBJECT)) } as { readonly [P in K]: string };
}

function rawSubject(args: Arguments, short: ShortPath): string {
  const key = SUBJECT_KEYS.find((name) => typeof args[name] === 'string');
  if (key === undefined) return patchedFile(args['patch'], short);
  const value = String(args[key]);
  return (PATH_KEYS.has(key) ? short(value) : value).slice(0, MAX_SUBJECT);
}

function patchedFile(patch: unknown, short: ShortPath): string {
  const { path, to } = patchedPaths(patch);
  const paths = [path, to].flatMap((each) => (each === undefined ? [] : [short(each)]));
  return paths.join(' → ').slice(0, MAX_SUBJECT);
}

/** Topic of a patch that deletes or moves a file. */
function patchTopic(patch: unknown, short: ShortPath): ViewToolCall['topic'] {
  const { action, path, to } = patchedPaths(patch);
  if (action === 'Delete') return { action: 'delete', ...given('what', path, short) };
  return to === undefined ? undefined : { action: 'move', ...given('what', path, short), ...given('where', to, short) };
}

/** The paths in the first lines of a patch, as `readPatch` takes them. */
function patchedPaths(patch: unknown): { readonly action?: string | undefined; readonly path?: string | undefined; readonly to?: string | undefined } {
  if (typeof patch !== 'string') return {};
  const [, action, path, to] = /^\*\*\* (Add|Update|Delete) File: (.+?)[^\S\n]*$(?:\n\*\*\* Move to: (.+?)\s*$)?/m.exec(patch) ?? [];
  return { action, path, to: action === 'Update' ? to : undefined };
}

/** Arguments as they were sent, under the names of the tool; `undefined` while they are not whole, or when they cannot be read. */
function writtenArguments(call: ToolCallBlock): Arguments | undefined {
  const args = parseArguments(call.arguments);
  return args.ok ? readableFields(args.value, formsOf(call.name)) : undefined;
}
