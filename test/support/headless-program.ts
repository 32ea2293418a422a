import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { eventually } from './eventually.js';
import { withoutBubblewrap } from '../vscode/bubblewrap.mjs';
import { type ModelServer, startModelServer, toolResults } from './model-server/index.js';
import { programBuild } from './program-build.js';
import { ScriptedModels } from './scripted-models.js';
import { temporaryFolder } from './temporary-folder.js';

/** How a run of the program is started. */
export interface ProgramStart {
  /** Absolute path of the folder that it works in, and of that for what it keeps. */
  readonly folder: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on its standard input, which ends then. Left out: it stays open. */
  readonly input?: string;
  /** False takes away what holds commands, as on a machine without. Default: true. */
  readonly sandbox?: boolean;
}

/** A message that the program writes. */
export type WireMessage = Readonly<Record<string, unknown>>;

/** What the program asks the one that drives it. */
export interface ControlRequest {
  readonly id: string;
  readonly body: WireMessage;
}

/** What became of a run. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Starts runs of the program. */
export interface Starter<R extends Run> {
  readonly start: (args: readonly string[], start: ProgramStart) => R;
  /** Has it run to its end. Default: with nothing on its standard input. */
  readonly run: (args: readonly string[], start: ProgramStart) => Promise<ProgramEnd>;
}

/** The program without a window, built as it is shipped. Called at the top of the file. */
export function headlessProgram(): Starter<RunningProgram> & {
  /** Absolute path of a file of it: the program itself is `gnomon.js`. */
  readonly path: (name: string) => string;
} {
  let folder = '';
  beforeAll(async () => {
    folder = await programBuild();
  });
  const path = (name: string): string => join(folder, 'headless', name);
  const start = (args: readonly string[], how: ProgramStart): RunningProgram => new RunningProgram(path('gnomon.js'), args, how);
  return { path, start, run: (args, how) => start(args, { input: '', ...how }).end };
}

/** The program with a model server, a folder, and a home of its own for each test. Called at the top of a file. */
export function programWithModel(): ProgramWithModel<RunningProgram> & Pick<ReturnType<typeof headlessProgram>, 'path'> {
  const program = headlessProgram();
  return Object.assign(forEachTest(new ProgramWithModel(program)), { path: program.path });
}

/** Has each test begin with a place of its own. Called at the top of a file. */
export function forEachTest<P extends ProgramWithModel<Run>>(program: P): P {
  beforeEach(() => program.begin());
  afterEach(() => program.server.close());
  return program;
}

/** Runs of the program with a model server. */
export class ProgramWithModel<R extends Run> extends ScriptedModels {
  /** It has answered nothing yet when a test begins. */
  server!: ModelServer;
  /** Absolute paths of the folder that runs work in, and of that for what is kept. */
  folder = '';
  home = '';

  constructor(protected readonly program: Starter<R>) {
    super();
  }

  async begin(): Promise<void> {
    this.server = await startModelServer();
    [this.folder, this.home] = [temporaryFolder(), temporaryFolder()];
  }

  /** The key of the model, and where it is. */
  get env(): Readonly<Record<string, string>> {
    return { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: this.server.url };
  }

  /** Starts it, with the model where none is named; a start can say more and other. */
  start(args: readonly string[], more: Partial<ProgramStart> = {}): R {
    const { folder, home } = this;
    const model = args.some((arg) => arg.startsWith('--model')) ? [] : WITH_MODEL;
    return this.program.start([...model, ...args], { folder, home, ...more, env: { ...this.env, ...more.env } });
  }

  /** Has it run to its end. Default: with nothing on its standard input. */
  run(args: readonly string[], more: Partial<ProgramStart> = {}): Promise<ProgramEnd> {
    return this.start(args, { input: '', ...more }).end;
  }

  /** Has it run to its end without the model and its key. */
  runWithout(args: readonly string[]): Promise<ProgramEnd> {
    return this.program.run(args, { folder: this.folder, home: this.home });
  }

  /** What the tools told the model in the latest request, in the order of its calls. */
  get results(): readonly string[] {
    return toolResults(this.server);
  }
}

const WITH_MODEL = ['--model', 'anthropic/claude-sonnet-5-5'];

/** The lines of JSON of an output; empty ones say nothing, and one that has not ended is none yet. */
export function messagesIn(output: string): readonly WireMessage[] {
  return output
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WireMessage);
}

/** A run of the program, by its streams. */
export abstract class Run {
  abstract readonly process: { readonly stdin: Writable; readonly stdout: Readable };
  /** What it has written so far. */
  output = '';
  errors = '';
  /** Resolves when it has ended. */
  abstract readonly end: Promise<ProgramEnd>;

  /** Writes a line of JSON to its standard input. */
  send(...frames: readonly object[]): void {
    this.process.stdin.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  }

  /** The lines of JSON that it has written. */
  get messages(): readonly WireMessage[] {
    return messagesIn(this.output);
  }

  /** Those of a type. */
  ofType(type: string): readonly WireMessage[] {
    return this.messages.filter((message) => message['type'] === type);
  }

  /** What a control request was answered with, once it was. */
  answerTo(id: string): Promise<WireMessage> {
    const find = (): WireMessage | undefined =>
      this.ofType('control_response')
        .map(({ response }) => response as WireMessage)
        .find((response) => response['request_id'] === id);
    return eventually(() => found(find(), `There is no answer to ${id}`, this));
  }

  /** A control request of a kind that it makes, once it does. @param n how many of that kind come before, such as 0 */
  asked(subtype: string, n = 0): Promise<ControlRequest> {
    const find = (): WireMessage | undefined => this.ofType('control_request').filter(({ request }) => (request as WireMessage)['subtype'] === subtype)[n];
    return eventually(() => {
      const frame = found(find(), `There is no request ${subtype} ${n}`, this);
      return { id: String(frame['request_id']), body: frame['request'] as WireMessage };
    });
  }

  /** Answers a control request. */
  respond(id: string, response: object): void {
    this.send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
  }
}

/** A run of the program as a process. */
export class RunningProgram extends Run {
  readonly process: ChildProcessWithoutNullStreams;
  readonly end: Promise<ProgramEnd>;

  constructor(program: string, args: readonly string[], { folder, home, env, input, sandbox = true }: ProgramStart) {
    super();
    const [command = process.execPath, ...rest] = [...(sandbox ? [] : withoutBubblewrap()), process.execPath, program, ...args];
    this.process = spawn(command, rest, { cwd: folder, env: environmentOf(home, env) });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    // One that ends before it has read its input breaks the pipe.
    this.process.stdin.on('error', () => undefined);
    if (input !== undefined) this.process.stdin.end(input);
    this.end = new Promise((resolve, reject) => {
      this.process.once('error', reject);
      this.process.once('close', (code) => resolve({ code, output: this.output, errors: this.errors }));
    });
  }
}

function found<T>(value: T | undefined, what: string, { output, errors }: Run): T {
  if (value === undefined) throw new Error(`${what}: ${output.slice(-2_000)}${errors}`);
  return value;
}

/** Nothing of the user who runs the tests, but what programs need to start. */
export function environmentOf(home: string, env: Readonly<Record<string, string>> = {}): Readonly<Record<string, string | undefined>> {
  const { PATH, SystemRoot, TMPDIR } = process.env;
  return {
    PATH,
    SystemRoot,
    TMPDIR,
    HOME: home,
    USERPROFILE: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    LANG: 'C.UTF-8',
    ...env,
  };
}
