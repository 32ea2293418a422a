import { present } from '../domain/present.js';
import * as z from 'zod/mini';
import { ToolInputError } from '../domain/errors.js';
import type { Job, Jobs } from '../domain/workspace/jobs.js';
import { t } from '../domain/l10n.js';
import type { CommandAnalyzer, SimpleCommand } from '../domain/tool/command-analysis.js';
import type { CommandOutcome, CommandRequest, Processes } from '../domain/workspace/processes.js';
import type { ResultLine } from '../domain/tool/model-notes.js';
import type { Failure, Success } from '../domain/tool/outcome.js';
import type { Access, TextAmendment, Tool, ToolContext, ToolResult } from '../domain/tool/tool.js';
import type { FileLocation, Workspace } from '../domain/workspace/workspace.js';
import { checkPlaces, fileAccess } from './calls/places.js';
import { OTHER_FORMS } from './calls/forms.js';
import { defineTool, filled, notedResult, textResult } from './calls/define.js';
import { jobNews, jobReport, takenAwayLines } from './jobs.js';
import { count, showCommand } from '../text/show.js';
import type { Confinement } from '../domain/workspace/sandbox.js';
import { anyOf } from '../text/any-of.js';
import { redactAddresses } from '../text/redact.js';

/** Milliseconds that a command may take when the model sets no limit. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** The longest limit that the model may set. */
const MAX_TIMEOUT_MS = 600_000;
/** Milliseconds that a job may live when the model sets no limit: a day. */
const JOB_LIFE_MS = 24 * 3_600_000;
/** Milliseconds to wait for a new job, so that one that fails at once is known to have failed. */
const FIRST_LOOK_MS = 1_000;
/** Longest command, in bytes: Linux refuses one argument of 128 KB (MAX_ARG_STRLEN). */
const MAX_COMMAND_BYTES = 100_000;

const schema = z.strictObject({
  command: filled,
  description: z.optional(z.string()),
  timeout_ms: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_TIMEOUT_MS))),
  cwd: z.optional(filled),
  background: z.optional(z.boolean()),
  unsandboxed: z.optional(z.boolean()),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'bash',
  description:
    'Run a command in a new bash (PowerShell on Windows) in the workspace folder, no terminal or input. Its ' +
    'background processes end with it. Long output: head, tail, log file. For files prefer the other tools.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'Command line or script' },
      description: { type: 'string', description: 'What it does, in a few words' },
      timeout_ms: { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_MS, description: `Default ${DEFAULT_TIMEOUT_MS}` },
      cwd: { type: 'string', description: 'Folder to run in' },
      background: { type: 'boolean', description: 'Start a job; see jobs' },
      unsandboxed: { type: 'boolean', description: 'Where the sandbox was in the way; asks the user' },
    },
    required: ['command'],
    additionalProperties: false,
  },
};

/** What the tool works through. Without jobs it runs nothing in the background, and without an analyzer every exit code but 0 is a failure. */
interface Deps {
  readonly analyzer?: () => Promise<CommandAnalyzer>;
  readonly processes: Processes;
  readonly workspace: Workspace;
  readonly jobs?: Jobs;
}

/** A planned command. */
interface State {
  readonly request: CommandRequest;
  /** The folder as it was named, and as it led then. */
  readonly place: FileLocation;
  /** The folder, when it is not the one that commands run in otherwise. */
  readonly elsewhere: string | undefined;
  readonly background: boolean;
}

/** The tool that runs shell commands. */
export function createBashTool(deps: Deps): Tool {
  return defineTool<Args, State>({
    spec,
    schema,
    forms: OTHER_FORMS.bash,
    async plan(args) {
      check(args, deps);
      const background = args.background === true;
      const location = await deps.workspace.locate(args.cwd ?? deps.workspace.cwd());
      const timeoutMs = args.timeout_ms ?? (background ? JOB_LIFE_MS : DEFAULT_TIMEOUT_MS);
      const request = { command: args.command, cwd: location.real, timeoutMs };
      return {
        subject: `${showCommand(args.command)}${background ? ' (in the background)' : ''}`,
        accesses: accessesOf(args, location),
        preview: { kind: 'command', ...request },
        ...(args.unsandboxed === true ? { unconfined: true } : {}),
        state: { request, place: location, background, elsewhere: location.path === deps.workspace.cwd() ? undefined : location.display },
      };
    },
    amend: withCommand,
    async execute(state, _plan, context) {
      // The folder that was judged must be the one that it starts in.
      await checkPlaces(deps.workspace, [state.place]);
      return state.background ? startJob(deps, state, context) : run(deps, state, context);
    },
  });
}

/** A folder of the model's choice is judged too. */
function accessesOf({ command, cwd }: Args, location: FileLocation): readonly Access[] {
  const execute: Access = { kind: 'execute', target: command };
  return cwd === undefined ? [execute] : [execute, ...fileAccess('read', location)];
}

function withCommand(args: Args, amendment: TextAmendment): Args {
  if (amendment.type !== 'command') throw new ToolInputError(t('Only the command of this call can be edited.'));
  return { ...args, command: amendment.command };
}

function check({ command, background }: Args, { jobs }: Deps): void {
  if (command.trim() === '') throw new ToolInputError('The command is empty.');
  if (command.includes('\0')) throw new ToolInputError('The command holds a NUL character, which no shell can take.');
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    throw new ToolInputError(`The command is longer than ${MAX_COMMAND_BYTES} bytes. Write a script to a file and run that.`);
  }
  if (background === true && jobs === undefined) {
    throw new ToolInputError('There are no background jobs here. Run the command without background, with a timeout_ms that is enough.');
  }
}

/** A command that was allowed only in the sandbox runs there. */
function held({ request }: State, { confined }: ToolContext): CommandRequest {
  return confined === undefined ? request : { ...request, confined };
}

/**
 * Programs that end with 1 to say “nothing found”, “different” or “false”, and with another code when something went wrong (POSIX; the manuals of GNU grep,
 * diffutils, ripgrep and procps).
 */
const ANSWERING: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'diff', 'cmp', 'test', '[', 'pgrep']);

/** An ended command. */
interface EndedCommand {
  readonly command: string;
  /** Absolute path of the folder it ran in. */
  readonly cwd: string;
  readonly exitCode: number | undefined;
}

/**
 * Whether the exit code of a command line is an answer rather than a failure: 1, from a program that says no so, which is
 * the only command of the line or the last of its only pipeline. Unclear cases count as failures.
 */
export function isNegativeAnswer({ command, cwd, exitCode }: EndedCommand, analyzer: CommandAnalyzer): boolean {
  if (exitCode !== 1) return false;
  const { commands, unreadable } = analyzer.analyze(command, { cwd, home: cwd });
  const last = commands.at(-1);
  if (last === undefined || unreadable !== undefined || last.background === true || !isAnswering(last)) return false;
  const piped = pipedInto(last);
  return commands.every((other) => other === last || piped.has(other));
}

function isAnswering({ words }: SimpleCommand): boolean {
  const [program = '', ...rest] = words;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (name !== 'git') return ANSWERING.has(name);
  const [verb] = rest;
  return verb === 'grep' || (verb === 'diff' && rest.some((word) => word === '--quiet' || word === '--exit-code' || word === '--no-index'));
}

/** The commands before one in its pipeline. */
function pipedInto(command: SimpleCommand): ReadonlySet<SimpleCommand> {
  const found = new Set<SimpleCommand>();
  const open = [...(command.input ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(next.input ?? []));
  }
  return found;
}

async function run({ processes, jobs, analyzer }: Deps, state: State, context: ToolContext): Promise<ToolResult> {
  const request = held(state, context);
  const { elsewhere } = state;
  const outcome = await processes.run(request, context.signal, (chunk) => context.output(chunk));
  const news = jobs === undefined ? [] : jobNews(jobs);
  const report: readonly ResultLine[] = commandReport(outcome, {
    timeoutMs: request.timeoutMs,
    elsewhere,
    confined: context.confined,
    canBackground: jobs !== undefined,
  });
  const isAnswer = outcome.exitCode === 1 && analyzer !== undefined && isNegativeAnswer({ ...request, exitCode: outcome.exitCode }, await analyzer());
  const isError = (outcome.exitCode !== 0 && !isAnswer) || outcome.timedOut || outcome.cancelled;
  const printed = { text: printedBy(outcome, context.confined), ...present({ exitCode: outcome.exitCode }) };
  const became: Success | Failure = isError ? failureOf(outcome, request.timeoutMs) : { kind: 'ran', exitCode: outcome.exitCode, durationMs: tookMs(outcome) };
  return { ...notedResult([...report, ...news.map((note) => ({ note }))], became), printed };
}

/** How a command ended that did not end well. */
function failureOf(outcome: CommandOutcome, timeoutMs: number): Failure {
  const { exitCode, signal, timedOut, cancelled } = outcome;
  const durationMs = tookMs(outcome);
  if (timedOut && !cancelled) return { kind: 'timed_out', limitMs: timeoutMs };
  if (exitCode !== undefined && !cancelled) return { kind: 'exited', exitCode, durationMs };
  return { kind: 'killed', durationMs, ...(cancelled || signal === undefined ? {} : { signal }) };
}

/** As exactly as it is shown. */
function tookMs({ durationMs }: CommandOutcome): number {
  return Math.round(durationMs / 100) * 100;
}

async function startJob({ jobs }: Deps, state: State, context: ToolContext): Promise<ToolResult> {
  if (jobs === undefined) throw new TypeError('A plan for a job was made without jobs.');
  const { id } = await jobs.start(held(state, context));
  await jobs.settled(id, FIRST_LOOK_MS, context.signal);
  // A stopped call leaves nothing behind.
  if (context.signal.aborted) await jobs.kill(id);
  const output = await jobs.output(id);
  if (output.text !== '') context.output(output.text);
  const lines = [`Started ${id} in the background.`, jobReport(output), ...jobNews(jobs, id)];
  return textResult(lines.join('\n'), hasFailed(output.job));
}

function hasFailed({ ended }: Job): boolean {
  return ended !== undefined && ended.exitCode !== 0;
}

/** Process ids that are named; of more, the first. */
const MAX_IDS = 10;

/** What the report of a command depends on beside its outcome. */
interface Circumstances {
  readonly timeoutMs: number;
  /** The folder it ran in, when it is not the one that commands run in otherwise. */
  readonly elsewhere: string | undefined;
  readonly canBackground: boolean;
  /** How the sandbox held it, when it did. */
  readonly confined: Confinement | undefined;
}

/** What programs say when they may not do or find something, which can be the doing of the sandbox. */
const HINDERED = new RegExp(
  anyOf(
    'permission denied|operation not permitted|read-only file system|device or resource busy',
    'no such file or directory|command not found|not a git repository|dubious ownership',
    'could not resolve|name resolution|among the hosts of the setting|network is unreachable|connection refused',
    'cannot open|bwrap: ',
  ),
  'i',
);

/** The output of a command and how it ended, line by line. */
function commandReport(outcome: CommandOutcome, circumstances: Circumstances): readonly ResultLine[] {
  const output = printedBy(outcome, circumstances.confined);
  return [
    output === '' ? { note: '(no output)' } : output,
    ...logLines(outcome),
    ...leftoverLines(outcome, circumstances.canBackground),
    ...takenAwayLines(outcome.takenAway),
    ...sandboxLines(outcome, circumstances),
    { note: `[${ending(outcome, circumstances)}]` },
  ];
}

/** For a command that ran without approval, the user did not agree that the model sees its output. */
function printedBy({ output }: CommandOutcome, confined: Confinement | undefined): string {
  return confined !== undefined && confined.work === undefined ? redactAddresses(output.trimEnd()) : output.trimEnd();
}

function logLines({ logFile, logProblem, omittedBytes }: CommandOutcome): readonly string[] {
  if (logFile === undefined) return [];
  const left = `${count(omittedBytes, 'byte')} left out`;
  if (logProblem === undefined) return [`[${left}; the whole output is in ${logFile}]`];
  return [`[${left}; only a part of it is in ${logFile}: ${logProblem}]`];
}

/** State of background processes (`command &`). */
function leftoverLines({ leftBehind, detached = [] }: CommandOutcome, canBackground: boolean): readonly ResultLine[] {
  const lines: ResultLine[] = [];
  if (leftBehind === true) {
    const advice = canBackground ? ' To keep a command running, call bash with background: true.' : '';
    lines.push({ note: `[What was still running in the background was ended with the command.${advice}]` });
  }
  if (detached.length > 0) {
    const ids = detached.slice(0, MAX_IDS).join(', ');
    lines.push(`[Started as a daemon or with setsid, so not ended with the command: ${detached.length === 1 ? 'process' : 'processes'} ${ids}]`);
  }
  return lines;
}

/** A failure that may be the doing of the sandbox says so, with the way out. */
function sandboxLines({ exitCode, output }: CommandOutcome, { confined }: Circumstances): readonly ResultLine[] {
  if (confined === undefined || exitCode === 0 || !HINDERED.test(output)) return [];
  return [
    { note: `[It ran in a sandbox: it could ${couldDo(confined)}. If that is why it failed, call bash again with unsandboxed: true; the user is asked then.]` },
  ];
}

function couldDo({ work }: Confinement): string {
  if (work === undefined) return 'read the workspace but no files of secrets, write nothing and reach no network';
  const reached = work.hosts.includes('*') ? 'reach the network' : `reach ${work.hosts.length === 0 ? 'no network' : `no hosts but ${work.hosts.join(', ')}`}`;
  return `change the workspace, /tmp and caches but not .git/config, hooks and .vscode, read no files of secrets, and ${reached}`;
}

function ending(outcome: CommandOutcome, { timeoutMs, elsewhere }: Circumstances): string {
  const took = `after ${(outcome.durationMs / 1000).toFixed(1)} s${elsewhere === undefined ? '' : ` in ${elsewhere}`}`;
  if (outcome.cancelled) return `stopped on request ${took}`;
  if (outcome.timedOut) return `time limit of ${timeoutMs / 1000} s reached; the command and everything it started were killed`;
  if (outcome.exitCode !== undefined) return `exit code ${outcome.exitCode} ${took}`;
  return `killed by ${outcome.signal ?? 'a signal'} ${took}`;
}
