import { isAbsolute } from 'node:path';
import { assertNever } from '../../domain/assert-never.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { ImageBlock, ToolCallBlock } from '../../domain/model/content.js';
import type { ToolResultMessage } from '../../domain/model/message.js';
import { type AskedPermission, idAmongAll } from '../../domain/tool/asks.js';
import { present } from '../../domain/present.js';
import type { DiffPreview, Plan, Preview, ToolResult } from '../../domain/tool/tool.js';
import { type CallView, outcomeOf, viewOfPast, viewOfState } from '../../chat/projection/call-view.js';
import { resultView } from '../../chat/projection/call-result.js';
import type { ShortPath } from '../../chat/projection/call-topic.js';
import type { ToolCallState } from '../../engine/events.js';
import { headOf } from '../../text/show.js';
import { firstChangedLine, textsOf } from './diff-texts.js';

/** Sorts of calls, by which editors choose an icon. */
export type CallKind = 'read' | 'edit' | 'delete' | 'move' | 'search' | 'execute' | 'think' | 'fetch' | 'other';

/** How far a call is. */
export type CallProgress = 'pending' | 'in_progress' | 'completed' | 'failed';

/** What an editor shows of a call, beside its title. */
export type CallPart =
  /** Two versions of a file, or of a part of it; without `before` it is new. */
  | { readonly type: 'diff'; readonly path: string; readonly before?: string; readonly after: string }
  /** Words of Gnomon, as Markdown in which nothing is formatted. */
  | { readonly type: 'words'; readonly text: string }
  /** What a program, a file, or a server says: shown as it is. */
  | { readonly type: 'output'; readonly text: string }
  /** The terminal of the call, with what its command prints. */
  | { readonly type: 'terminal'; readonly id: string }
  | ImageBlock;

/** A file that a call is about, for an editor to follow. */
export interface CallPlace {
  /** Absolute. */
  readonly path: string;
  /** From 1. */
  readonly line?: number;
}

/** A call as an editor shows it, whatever the protocol. */
export interface CallLook {
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly kind: CallKind;
  readonly progress: CallProgress;
  readonly places: readonly CallPlace[];
  readonly parts: readonly CallPart[];
  /** Whether what it prints is shown in a terminal, to which it is told piece by piece. */
  readonly hasTerminal?: true;
}

/** What the look of a call depends on, beside its state. */
export interface LookOptions {
  /** What it has printed so far. */
  readonly output: string;
  readonly short: ShortPath;
  /** Whether commands have terminals. */
  readonly terminals: boolean;
}

/** Characters of an output that are shown: the end of what a command prints, the beginning of all else. */
const MAX_OUTPUT = 50_000;

/** A call of the turn that runs. */
export function lookOf(call: ToolCallBlock, state: ToolCallState, { output, short, terminals }: LookOptions): CallLook {
  const view = viewOfState(call, state, { short });
  const plan = 'plan' in state ? state.plan : undefined;
  const diffs = plan === undefined ? [] : diffParts(plan);
  const hasTerminal = terminals && view.name === 'bash';
  const result = 'result' in state ? state.result : undefined;
  // What goes on in the background is told as any other result is.
  const isInTerminal = hasTerminal && (result === undefined ? state.status === 'running' || output !== '' : result.printed !== undefined);
  const printed = result === undefined ? outputParts(tailOf(output)) : resultParts(result, diffs.length > 0, short);
  return {
    ...headOfCall(view, plan?.preview),
    progress: progressOf(view.status),
    places: plan === undefined ? [] : placesOf(plan),
    parts: [...diffs, ...problemParts(view.problem), ...(isInTerminal ? [{ type: 'terminal', id: call.id } as const] : printed)],
    ...(hasTerminal ? { hasTerminal } : {}),
  };
}

/** A call of a conversation that was read from the disk. */
export function pastLook(call: ToolCallBlock, result: ToolResultMessage | undefined, short: ShortPath): CallLook {
  const view = viewOfPast(call, { result, hooks: [], short });
  const images = result?.content.filter((block) => block.type === 'image') ?? [];
  return {
    ...headOfCall(view, undefined),
    progress: progressOf(view.status),
    places: [],
    parts: [...problemParts(view.problem), ...outputParts(headOf(view.output, MAX_OUTPUT)), ...images],
  };
}

/** A call that waits to be allowed: all of what would run or change, and why it is asked about. */
export function askedLook(ask: AskedPermission, short: ShortPath): CallLook {
  const { who, plan, judgment, problem, rewrittenBy, deciding } = ask;
  const block: ToolCallBlock = { type: 'tool_call', id: idAmongAll(ask), name: plan.tool, arguments: '' };
  const view = viewOfState(block, { status: 'running', plan, why: '' }, { short });
  const risks = (judgment.risks ?? []).map(({ part, text }) => `${judgment.parts?.[part] ?? 'This command'} ${text}.`);
  const { worksFor } = who;
  const words = [
    ...(worksFor === undefined ? [] : [`The agent ${worksFor.agent} (${worksFor.task}) asks.`]),
    ...(problem === undefined ? [] : [problem]),
    ...(judgment.plain === true ? [] : judgment.reasons),
    ...risks,
    ...(judgment.place === undefined ? [] : [judgment.place]),
    ...(rewrittenBy === undefined ? [] : [`Changed by the hook ${rewrittenBy}.`]),
    ...(deciding === undefined ? [] : [`The hook ${deciding} is asked at the same time. If it denies this, it does not run.`]),
  ];
  return {
    ...headOfCall(view, plan.preview),
    progress: 'pending',
    places: placesOf(plan),
    parts: [...diffParts(plan), ...outputParts(askedText(plan.preview)), ...words.map((text) => ({ type: 'words', text: showUnseen(text) }) as const)],
  };
}

/** What is asked about, where it is no change of a file. */
function askedText(preview: Preview): string {
  switch (preview.kind) {
    case 'command':
      return `${preview.command}\n\nin ${preview.cwd}`;
    case 'url':
      return preview.url;
    case 'search':
      return `${preview.query}\n\n${preview.service}`;
    case 'input':
      return preview.changed === undefined ? preview.input : `${preview.input}\n\nIt describes itself otherwise than before:\n${preview.changed}`;
    case 'diff':
    case 'diffs':
    case 'none':
    case 'todos':
    case 'question':
      return '';
    default:
      return assertNever(preview);
  }
}

function diffParts({ preview, changes }: Plan): readonly CallPart[] {
  return changedFiles(preview)
    .filter(({ diff, created }) => diff !== '' || created)
    .flatMap(({ path, diff, created }) => {
      const known = changes.flatMap((each) => (each.action === 'delete' ? [] : [each]));
      const change = known.length === 1 ? known[0] : known.find((each) => each.path === path);
      return textsOf(diff, change?.text, created).map(({ before, after }) => ({ type: 'diff', path, ...present({ before }), after }) as const);
    });
}

function changedFiles(preview: Preview): readonly DiffPreview[] {
  if (preview.kind === 'diffs') return preview.files;
  return preview.kind === 'diff' ? [preview] : [];
}

function placesOf({ preview, accesses, args }: Plan): readonly CallPlace[] {
  const changed = changedFiles(preview);
  if (changed.length > 0) return changed.map(({ path, diff }) => ({ path, ...present({ line: firstChangedLine(diff) }) }));
  const offset: unknown = typeof args === 'object' && args !== null ? Reflect.get(args, 'offset') : undefined;
  const paths = accesses.filter(({ kind, target }) => (kind === 'read' || kind === 'write') && isAbsolute(target)).map(({ target }) => target);
  return [...new Set(paths)].map((path) => ({ path, ...(typeof offset === 'number' ? { line: offset } : {}) }));
}

function problemParts(problem: string | undefined): readonly CallPart[] {
  return problem === undefined ? [] : [{ type: 'words', text: showUnseen(problem) }];
}

function outputParts(output: string): readonly CallPart[] {
  return output.trim() === '' ? [] : [{ type: 'output', text: showUnseen(output) }];
}

/** What a call gave back. Of one that shows a change, that is the change. */
function resultParts(result: ToolResult, showsChange: boolean, short: ShortPath): readonly CallPart[] {
  if (showsChange && !result.isError) return [];
  const { output } = resultView({ content: result.content, outcome: outcomeOf(result), short });
  return [...outputParts(headOf(output, MAX_OUTPUT)), ...result.content.filter((block) => block.type === 'image')];
}

function tailOf(output: string): string {
  return output.length <= MAX_OUTPUT ? output : output.slice(-MAX_OUTPUT).replace(/^[\uDC00-\uDFFF]/, '');
}

function progressOf(status: CallView['status']): CallProgress {
  switch (status) {
    case 'running':
      return 'in_progress';
    case 'done':
      return 'completed';
    case 'failed':
    case 'denied':
    case 'cancelled':
      return 'failed';
    default:
      return 'pending';
  }
}

/** What is known of tools beside their names: what they do, as the first word of a title, and their sort. */
const TOOLS: Readonly<Record<string, readonly [verb: string, kind: CallKind]>> = {
  read: ['Read', 'read'],
  list: ['List', 'read'],
  diagnostics: ['Problems of', 'read'],
  glob: ['Find', 'search'],
  grep: ['Search for', 'search'],
  symbols: ['Look up', 'search'],
  find_tools: ['Search tools for', 'search'],
  edit: ['Edit', 'edit'],
  write: ['Write', 'edit'],
  apply_patch: ['Edit', 'edit'],
  bash: ['', 'execute'],
  jobs: ['Commands:', 'execute'],
  fetch: ['Fetch', 'fetch'],
  web_search: ['Search the web for', 'fetch'],
  todo: ['Plan:', 'think'],
  ask: ['Ask:', 'think'],
  skill: ['Skill', 'think'],
};

function headOfCall(
  { id, name, subject, topic }: Pick<CallView, 'id' | 'name' | 'subject' | 'topic'>,
  preview: Preview | undefined,
): Omit<CallLook, 'progress' | 'places' | 'parts'> {
  const [usual, kind] = TOOLS[name] ?? [name, 'other'];
  const change = preview?.kind === 'diff' ? preview : undefined;
  const moved = change?.from !== undefined;
  const verb = change?.deleted === true ? 'Delete' : moved ? 'Move' : usual;
  const what = kind === 'edit' || topic?.what === undefined ? subject : topic.what;
  const where = kind === 'search' && topic?.where !== undefined ? `in ${topic.where}` : kind === 'read' && what === '' ? (topic?.where ?? '') : '';
  // Before the arguments are whole, nothing is known but the tool.
  const title = what === '' && where === '' ? name : [verb, what, where].filter((part) => part !== '').join(' ');
  return { id, tool: name, title: showUnseen(title), kind: change?.deleted === true ? 'delete' : moved ? 'move' : kind };
}
