import * as z from 'zod/mini';
import { ToolInputError } from '../domain/errors.js';
import type { CommandOutcome, CommandRequest, Processes } from '../domain/processes.js';
import type { Access, Tool, ToolResult } from '../domain/tool.js';
import type { Workspace } from '../domain/workspace.js';
import { fileAccess } from './access.js';
import { defineTool, textResult } from './define.js';
import { count, showCommand } from './show.js';

/** Milliseconds that a command may take when the model sets no limit. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** The longest limit that the model may set. */
const MAX_TIMEOUT_MS = 600_000;
/** Longest command, in bytes: Linux refuses one argument of 128 KB (MAX_ARG_STRLEN). */
const MAX_COMMAND_BYTES = 100_000;

const schema = z.strictObject({
  command: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
  timeout_ms: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_TIMEOUT_MS))),
  cwd: z.optional(z.string().check(z.minLength(1))),
});
type Args = z.infer<typeof schema>;

const spec = {
  name: 'bash',
  description:
    'Run a command in bash (PowerShell on Windows) without terminal or input. Each call is a new shell in the ' +
    'workspace folder; what it starts in the background is ended with it. Long output comes as head and tail, ' +
    'with a log file. For files prefer read, grep, glob and edit.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'string', minLength: 1 },
      description: { type: 'string', description: 'What it does, in a few words' },
      timeout_ms: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_TIMEOUT_MS,
        description: `Default ${DEFAULT_TIMEOUT_MS}`,
      },
      cwd: { type: 'string', minLength: 1, description: 'Folder to run in' },
    },
    required: ['command'],
    additionalProperties: false,
  },
};

/** The tool that runs shell commands. */
export function createBashTool(ports: { processes: Processes; workspace: Workspace }): Tool {
  return defineTool<Args, CommandRequest>({
    spec,
    schema,
    async plan(args) {
      checkCommand(args.command);
      const location = await ports.workspace.locate(args.cwd ?? ports.workspace.cwd());
      const timeoutMs = args.timeout_ms ?? DEFAULT_TIMEOUT_MS;
      const execute: Access = { kind: 'execute', target: args.command };
      return {
        subject: showCommand(args.command),
        // A folder of the model's choice is judged too (path-19).
        accesses: args.cwd === undefined ? [execute] : [execute, ...fileAccess('read', location)],
        preview: { kind: 'command', command: args.command, cwd: location.real, timeoutMs },
        state: { command: args.command, cwd: location.real, timeoutMs },
      };
    },
    async execute(request, _plan, context) {
      const output = (chunk: string): void => context.output(chunk);
      return commandResult(await ports.processes.run(request, context.signal, output), request);
    },
  });
}

function checkCommand(command: string): void {
  if (command.trim() === '') throw new ToolInputError('The command is empty.');
  if (command.includes('\0')) throw new ToolInputError('The command holds a NUL character, which no shell can take.');
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) {
    throw new ToolInputError(`The command is longer than ${MAX_COMMAND_BYTES} bytes. Write a script to a file and run that.`);
  }
}

function commandResult(outcome: CommandOutcome, request: CommandRequest): ToolResult {
  const output = outcome.output.trimEnd();
  const lines = [output === '' ? '(no output)' : output];
  if (outcome.logFile !== undefined) {
    lines.push(`[${count(outcome.omittedBytes, 'byte')} left out; the whole output is in ${outcome.logFile}]`);
  }
  lines.push(`[${ending(outcome, request)}]`);
  return textResult(lines.join('\n'), outcome.exitCode !== 0 || outcome.timedOut || outcome.cancelled);
}

function ending(outcome: CommandOutcome, request: CommandRequest): string {
  const took = `after ${(outcome.durationMs / 1000).toFixed(1)} s`;
  if (outcome.cancelled) return `stopped on request ${took}`;
  if (outcome.timedOut) {
    return `time limit of ${request.timeoutMs / 1000} s reached; the command and everything it started were killed`;
  }
  if (outcome.exitCode !== undefined) return `exit code ${outcome.exitCode} ${took}`;
  return `killed by ${outcome.signal ?? 'a signal'} ${took}`;
}
