import { present } from '../../domain/present.js';
import * as z from 'zod/mini';
import { inTime, TooSlowError } from '../../concurrency/in-time.js';
import { AbortError, ToolInputError } from '../../domain/errors.js';
import type { Amount } from '../../domain/model/purse.js';
import type { Access, ForeignCode, Plan, Preview, TextAmendment, Tool, ToolContext, ToolResult, ToolSpec } from '../../domain/tool/tool.js';
import type { ChangeAuthor } from '../../domain/workspace/change-author.js';
import type { FileChange } from '../../domain/workspace/documents.js';
import { t } from '../../domain/l10n.js';
import { type ResultLine, notedText, withNoteBehind } from '../../domain/tool/model-notes.js';
import { type Failure, type Success, statusOf } from '../../domain/tool/outcome.js';
import type { OtherForms } from './fields.js';
import { lenient } from './lenient.js';
import { type RunContext, permitted } from './sealed.js';

/** Milliseconds that a check of arguments may take. */
const CHECK_MS = 500;

/** A string that must not be empty. The schema for the model does not say so: it would not write an empty one on purpose. */
export const filled = z.string().check(z.refine((text) => text !== '', 'must not be empty'));

/** What a tool settles for one call; {@link defineTool} makes the plan of it. */
export interface Draft<State> {
  /** Short text for the title of the call. */
  readonly subject: string;
  readonly accesses: readonly Access[];
  /** Left out: nothing to show beside the subject. */
  readonly preview?: Preview;
  /** Left out: the call writes nothing itself. */
  readonly changes?: readonly FileChange[];
  /** Left out: who makes the call has made what it writes. */
  readonly madeBy?: ChangeAuthor;
  /** Left out: the call costs nothing. */
  readonly spends?: Amount;
  /** Left out: the call runs code of Gnomon's only. */
  readonly foreign?: ForeignCode;
  /** Left out: the sandbox may confine the command. */
  readonly unconfined?: true;
  /** What `execute` needs beside the plan; frozen with it. */
  readonly state: State;
}

/** What a tool can say of a call before the files are opened on which the rest of it depends. */
export interface Unsettled<State> {
  readonly subject: string;
  /** What settling it reads. Empty for what the session has read. */
  readonly reads: readonly Access[];
  /** What else the call touches. */
  readonly accesses: readonly Access[];
  /** The call as it can run without a look at anything; left out where there is no such call. */
  readonly blind?: Pick<Draft<State>, 'preview' | 'changes' | 'state'>;
  /** Settles the call, as soon as its reading is permitted. */
  readonly open: (context: RunContext) => Promise<Draft<State>>;
}

/** A file's whole text, as the user changed it. */
export type ContentAmendment = Extract<TextAmendment, { type: 'content' }>;

/** A tool before the parts that all tools share. */
export interface ToolDefinition<Args, State> {
  readonly spec: ToolSpec;
  /** The same rules as `spec.parameters`, for checking. */
  readonly schema: z.ZodMiniType<Args>;
  /** How models write the arguments otherwise. Left out: they are taken only as the schema has them, as for code that is not Gnomon's. */
  readonly forms?: OtherForms;
  /** Says what a call will touch. Ports that reveal the content of files are sealed here: what depends on them is {@link Unsettled}. */
  plan(args: Args, context: ToolContext): Promise<Draft<State> | Unsettled<State>>;
  /** The arguments with what the user changed; absent when none can be changed. */
  readonly amend?: (args: Args, amendment: TextAmendment) => Args;
  /** The call with the text of the user in place of the one that it would write; absent for calls that write none. */
  readonly rewrite?: (shown: State, amendment: ContentAmendment, context: RunContext) => Promise<Draft<State>>;
  execute(state: State, plan: Plan, context: RunContext): Promise<ToolResult>;
}

/**
 * Makes a {@link Tool}: validates arguments, freezes plans, runs only its own unaltered plans, and turns a
 * {@link ToolInputError} while running into a result that the model sees.
 */
export function defineTool<Args, State>(definition: ToolDefinition<Args, State>): Tool {
  const plans = new Plans(definition);
  const { spec, amend, rewrite } = definition;
  return {
    spec: deepFreeze(spec),
    plan: (args, context) => plans.make(args, context),
    open: (plan, context) => plans.open(plan, context),
    ...(amend === undefined && rewrite === undefined ? {} : { amend: (plan, amendment, context) => plans.amend(plan, amendment, context) }),
    async execute(plan, context) {
      const { state, notes } = plans.madeOf(plan);
      stopIfAborted(context);
      return withNotes(await resultOf(() => definition.execute(state, plan, permitted(context))), notes);
    },
  };
}

/** What belongs to a plan beside itself. */
interface Made<State> {
  /** How the arguments were understood. */
  readonly notes: readonly string[];
  /** Absent for a plan that cannot run before it is opened. */
  readonly ready?: { readonly state: State };
  /** Settles a plan that is unopened. */
  readonly open?: Unsettled<State>['open'];
}

/** The plans that a tool has made, with what it needs to run them. */
class Plans<Args, State> {
  private readonly plans = new WeakMap<Plan, Made<State>>();

  constructor(private readonly definition: ToolDefinition<Args, State>) {}

  async make(args: unknown, context: ToolContext): Promise<Plan> {
    stopIfAborted(context);
    const parsed = parseArguments(this.definition, args);
    return this.freeze(parsed, await this.definition.plan(parsed.args, context));
  }

  async open(plan: Plan, context: ToolContext): Promise<Plan> {
    stopIfAborted(context);
    const { open, notes } = this.find(plan);
    if (open === undefined) throw new TypeError(`Nothing is left open in this plan of the tool ${this.definition.spec.name}.`);
    return this.freeze({ args: plan.args, notes }, await open(permitted(context)));
  }

  /** The plan of what the user made of a call. What the model asked for stays in its arguments where only a text is another. */
  async amend(shown: Plan, amendment: TextAmendment, context: ToolContext): Promise<Plan> {
    stopIfAborted(context);
    const { ready, notes } = this.find(shown);
    const { amend, rewrite } = this.definition;
    if (amendment.type === 'content' && rewrite !== undefined) {
      if (ready === undefined) throw new ToolInputError(t('The text can be edited as soon as the file may be read.'));
      return this.freeze({ args: shown.args, notes }, await rewrite(ready.state, amendment, permitted(context)));
    }
    if (amend === undefined) throw new ToolInputError(t('Only the text that this call writes can be edited.'));
    return this.make(amend(parseArguments(this.definition, shown.args).args, amendment), context);
  }

  /** @throws TypeError for a plan that this tool did not make, or that has to be opened first. */
  madeOf(plan: Plan): { readonly state: State; readonly notes: readonly string[] } {
    const { ready, notes } = this.find(plan);
    if (ready === undefined) throw new TypeError(`This plan of the tool ${this.definition.spec.name} has to be opened first.`);
    return { ...ready, notes };
  }

  private find(plan: Plan): Made<State> {
    const made = this.plans.get(plan);
    if (made === undefined) throw new TypeError(`This is not a plan made by the tool ${this.definition.spec.name}.`);
    return made;
  }

  private freeze({ args, notes }: { readonly args: unknown; readonly notes: readonly string[] }, draft: Draft<State> | Unsettled<State>): Plan {
    const { name } = this.definition.spec;
    if ('open' in draft) {
      const { reads, accesses, blind } = draft;
      const known = planOf(name, args, { ...draft, ...blind, accesses: [...reads, ...accesses] });
      const plan = deepFreeze({ ...known, unopened: { reads, runsBlind: blind !== undefined } });
      this.plans.set(plan, { notes, open: draft.open, ...(blind === undefined ? {} : { ready: { state: deepFreeze(blind.state) } }) });
      return plan;
    }
    const plan = deepFreeze(planOf(name, args, draft));
    this.plans.set(plan, { notes, ready: { state: deepFreeze(draft.state) } });
    return plan;
  }
}

async function resultOf(execute: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await execute();
  } catch (error) {
    if (error instanceof ToolInputError) return { ...textResult(error.message, true), outcome: error.outcome };
    throw error;
  }
}

/** A result with what the model should know to write the next call as the schema has it. */
function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  if (notes.length === 0) return result;
  const text = notes.map((note) => `[Arguments: ${note}.]`).join('\n');
  return withNoteBehind(result, text);
}

/** A result of one text block. */
export function textResult(text: string, isError = false): ToolResult {
  return { content: [{ type: 'text', text }], isError };
}

/** The lines of something that was looked at. A note at their end says how the model gets more, so that there is more. */
export function linesResult(lines: readonly ResultLine[]): ToolResult {
  return notedResult(lines, { kind: 'done' }, typeof lines.at(-1) === 'object');
}

/**
 * A result of one text block with lines that only the model is to read, and the outcome of the call.
 * @param more whether there is more than the result has
 */
export function notedResult(lines: readonly ResultLine[], outcome: Success | Failure = { kind: 'done' }, more = false): ToolResult {
  const { block, marks } = notedText(lines);
  const told = { ...outcome, ...marks, ...(more ? { more: true as const } : {}) };
  return { content: [block], isError: statusOf(told) !== 'done', outcome: told };
}

function planOf(tool: string, args: unknown, draft: Omit<Draft<unknown>, 'state'>): Plan {
  return {
    tool,
    subject: draft.subject,
    args,
    accesses: draft.accesses,
    preview: draft.preview ?? { kind: 'none' },
    changes: draft.changes ?? [],
    ...present({ madeBy: draft.madeBy, spends: draft.spends, foreign: draft.foreign, unconfined: draft.unconfined }),
  };
}

interface ParsedArguments<Args> {
  readonly args: Args;
  readonly notes: readonly string[];
}

/** @throws ToolInputError for arguments that do not fit the schema, also in none of the other forms that are known. */
function parseArguments<Args>({ spec, schema, forms }: Pick<ToolDefinition<Args, unknown>, 'spec' | 'schema' | 'forms'>, args: unknown): ParsedArguments<Args> {
  const read = forms === undefined ? { args, notes: [] } : lenient(args, spec.parameters, forms);
  const parsed = checked(schema, read.args);
  // The schema of a server may not say that it wants an object.
  if (parsed.success && Array.isArray(read.args)) throw new ToolInputError({ kind: 'invalid_arguments', tool: spec.name, wrong: 'list' });
  if (parsed.success) return { args: parsed.data, notes: read.notes };
  throw new ToolInputError({ kind: 'invalid_arguments', tool: spec.name, wrong: 'schema' }, { detail: schemaProblems(spec, parsed.error.issues) });
}

/** @throws ToolInputError for what takes too long: the schema of a server can have patterns for which some arguments take for ever, or refer to itself */
function checked<Args>(schema: z.ZodMiniType<Args>, args: unknown): z.core.util.SafeParseResult<Args> {
  try {
    return inTime(() => z.safeParse(schema, args, { reportInput: true }), CHECK_MS);
  } catch (error) {
    if (error instanceof TooSlowError || error instanceof RangeError)
      throw new ToolInputError('The arguments could not be checked by the schema of the tool, as that takes too long.');
    throw error;
  }
}

function stopIfAborted(context: ToolContext): void {
  if (context.signal.aborted) throw new AbortError();
}

/** Freezes data all the way down; what is frozen already, and bytes, which cannot be, are left as they are. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

type Issue = z.core.$ZodIssue;

/** Says what is wrong with the arguments of a call so that a model can put it right at once. */
function schemaProblems(spec: ToolSpec, issues: readonly Issue[]): string {
  const fields = Object.keys(spec.parameters['properties'] ?? {});
  return issues.map((issue) => `- ${problem(issue, fields)}`).join('\n');
}

function problem(issue: Issue, fields: readonly string[]): string {
  const place = issue.path.length === 0 ? 'the arguments' : issue.path.join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown: ${issue.keys.join(', ')}; the fields are ${fields.join(', ')}`;
    case 'invalid_type':
      return issue.input === undefined
        ? `${place}: missing, must be ${article(issue.expected)}`
        : `${place}: must be ${article(issue.expected)}, not ${describe(issue.input)}${unquote(issue.expected, issue.input)}`;
    case 'invalid_value':
      return `${place}: must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `${place}: ${issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`}`;
    case 'too_big':
      return `${place}: must be at most ${issue.maximum}`;
    default:
      return `${place}: ${issue.message}`;
  }
}

/** A value written as a string that does not say it is explained, never guessed. */
function unquote(expected: string, input: unknown): string {
  if (typeof input !== 'string') return '';
  if (['int', 'number', 'boolean'].includes(expected)) return '; write it without quotes';
  return ['array', 'object'].includes(expected) ? '; send the value itself, not JSON text of it' : '';
}

function article(type: string): string {
  if (type === 'int') return 'a whole number';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function describe(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  return typeof input === 'number' ? String(input) : article(typeof input);
}
