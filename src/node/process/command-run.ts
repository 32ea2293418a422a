import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandRequest, TakenAway } from '../../domain/workspace/processes.js';
import { driverSettings, OFFLINE, READS_ONLY, settingVariables } from './git-settings.js';
import type { HeldShell, Sandbox } from '../sandbox/sandbox.js';
import { type Leftovers, ProcessGroup, HostWatch } from './process-group.js';
import { MARK_VARIABLE } from './process-table.js';
import { defaultShell, type Shell } from './shell.js';
import { startCommand, type StartedCommand } from './start-command.js';
import type { Readable } from 'node:stream';
import { anyOf } from '../../text/any-of.js';
import { errorCode } from '../files/file-errors.js';
import { TerminalText } from './terminal-text.js';

/** Milliseconds without output after which reading stops, once the group is gone. */
const LATE_OUTPUT_MS = 250;
/** What left the group and continues writing is listened to no longer than this. */
const MAX_LATE_OUTPUT_MS = 1_000;
/** A killed shell is waited for so long; in a call to a dead network drive, for instance, a process cannot be killed. */
const UNKILLABLE_MS = 2_000;
const UNKILLABLE = { code: null, signal: 'SIGKILL' } as const;

/** What commands are run with. */
export interface CommandSettings {
  /** The shell; the machine's own unless given. */
  readonly shell?: Shell;
  /** Absolute path of the folder for logs of long outputs; created when needed. */
  readonly logFolder: string;
  /** Id of the session whose commands they are: with it, their logs are removed. Its rules apply in the sandbox. */
  readonly session?: string;
  /** The environment that commands inherit, before it is cleaned. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of variables to pass to commands that would be withheld otherwise; a trailing `*` matches any ending. */
  readonly variables?: () => readonly string[];
  /** Runs the commands that are to be confined; without it none of these runs. */
  readonly sandbox?: Pick<Sandbox, 'around' | 'closing' | 'after'>;
  /** Absolute paths of folders in which none may change anything, where the sandbox can keep them from it. */
  readonly closed?: readonly string[];
  /** Holds the commands for as long as they run. All who share it end them together. Default: each creator of commands has its own. */
  readonly running?: Set<Killable>;
}

/** A command that can be ended at once. */
export interface Killable {
  kill(): void;
}

/** Takes what a command writes. */
export interface CommandSink {
  /** Bytes taken so far. */
  readonly totalBytes: number;
  /** Resolves when it can take more. Never rejects. */
  add(text: string): Promise<void>;
}

/** Why a command was ended early. */
export type StopCause = 'timeout' | 'cancel';

/** How a command ended. */
export interface CommandEnd extends Leftovers {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** `undefined` when it ended on its own. */
  readonly cause: StopCause | undefined;
  /** What it made in the sandbox and may not make. */
  readonly takenAway: readonly TakenAway[];
  readonly durationMs: number;
}

/** Model services whose keys no command needs. */
const SERVICES =
  'ANTHROPIC|OPENAI|AZURE_OPENAI|MISTRAL|CODESTRAL|GEMINI|GOOGLE|GOOGLE_GENAI|GROQ|OPENROUTER|DEEPSEEK|XAI|TOGETHER|TOGETHERAI|' +
  'FIREWORKS|COHERE|CO|PERPLEXITY|CEREBRAS|HF|HUGGINGFACE|HUGGING_FACE_HUB|HUGGINGFACEHUB|OLLAMA|VOYAGE|REPLICATE|NVIDIA|' +
  'SAMBANOVA|MOONSHOT|DASHSCOPE|ZHIPU|ZAI|AI_GATEWAY|LITELLM|CLAUDE_CODE|GROK|AI21|ANYSCALE|DEEPINFRA|NOVITA|HYPERBOLIC|JINA|' +
  'MINIMAX|QWEN|SILICONFLOW|NEBIUS|PORTKEY|HELICONE|WATSONX|LLAMA|LM_STUDIO|VLLM|GNOMON';

/** Variables that commands never get. */
const REMOVED: readonly RegExp[] = [
  new RegExp(`^(${SERVICES})_(.*_)?(API_?KEYS?|KEY|(AUTH_|OAUTH_|API_|ACCESS_)?TOKEN|CUSTOM_HEADERS)$`, 'i'),
  /^AWS_BEARER_TOKEN_BEDROCK$/i,
  // The editor's own: they would make `code` and Node's programs behave as parts of it.
  /^(VSCODE|ELECTRON)_/i,
  // Files and code that a shell would run at its start, and options that change what a command means.
  /^(BASH_ENV|ENV|PROMPT_COMMAND|PS4|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|BASH_FUNC_.*)$/,
  // Programs that would ask for a password in a window, and forced colors.
  /^(GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|FORCE_COLOR|CLICOLOR_FORCE)$/,
];

/** Matches names of variables whose values are passwords or keys, of clouds, registries and all else. */
const SECRET = new RegExp(
  String.raw`(?:^|_)(?:${anyOf(
    '(?:API|ACCESS|SECRET|PRIVATE|SIGNING|ENCRYPTION|MASTER|ACCOUNT|LICENSE|DEPLOY|AUTH)?_?KEYS?|APIKEY',
    '[A-Z]*TOKENS?|SECRETS?|[A-Z]*PASSWORD|PASSWD|PASS|PASSPHRASE|PWD',
    'CREDENTIALS?|CREDS|AUTH|COOKIE|PAT',
    // Addresses with a password in them.
    'DSN|CONNECTION_?STRING|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|MYSQL|AMQP|RABBITMQ)_UR[IL]|WEBHOOK(?:_URL)?',
  )})(?:_(?:ID|VALUE|B64|BASE64|JSON|\d+))?$`,
  'i',
);
/** Names that match too but are the working directory. */
const NO_SECRET = /^(?:PWD|OLDPWD)$/;

/** Variables by which other programs run code, load libraries or read settings when they start. */
const STEERING = new RegExp(
  `^(?:${anyOf(
    'GIT_(?!(?:AUTHOR|COMMITTER)_)',
    'NODE_OPTIONS$|NODE_REPL_EXTERNAL_MODULE$',
    'LD_(?:PRELOAD|AUDIT)$|DYLD_INSERT_LIBRARIES$',
    'LESS(?:OPEN|CLOSE|KEY)',
    'PERL5(?:OPT|DB)$|RUBYOPT$|PYTHON(?:STARTUP|INSPECT|BREAKPOINT|WARNINGS)$',
    'JAVA_TOOL_OPTIONS$|_JAVA_OPTIONS$|JDK_JAVA_OPTIONS$',
    'RIPGREP_CONFIG_PATH$|GREP_OPTIONS$|TAR_OPTIONS$|RSYNC_RSH$',
    'BASH_LOADABLES_PATH$|INPUTRC$|GCONV_PATH$|SSLKEYLOGFILE$',
  )})`,
);

/**
 * The editor of git: a message that is there already, as in `commit --amend` and `rebase --continue`, is taken as it is;
 * without one it fails and says how to give it. git runs this with the shell, and the file as an argument after it.
 */
const GIT_EDITOR =
  'edit() { grep -qsv -e "^#" -e "^[[:space:]]*$" "$1" && return; ' + 'echo "There is no editor here. Give the message with -m or -F." >&2; return 1; }; edit';

/**
 * Nothing waits for a user, opens a pager or editor, or writes colors. An editor fails, for what
 * did not happen must not look as if it had. `CI` is not set, for it changes what builds and tests do; neither is
 * `GIT_SSH_COMMAND`, for it would replace the user's: without a terminal ssh asks nothing and fails.
 */
const SET: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: '',
  EDITOR: 'false',
  VISUAL: 'false',
  GIT_EDITOR,
  // A rebase does what its plan says, as with --autosquash.
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
};

/**
 * The environment of commands: the given one without keys, start-up hooks and the editor's internals.
 * @param wanted names that the user wants handed on though they look like keys or steer programs; `*` at the end stands
 *   for any ending.
 */
export function commandEnvironment(base: Readonly<Record<string, string | undefined>>, wanted: readonly string[] = []): Record<string, string> {
  const kept = Object.entries(base).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (value === undefined || REMOVED.some((pattern) => pattern.test(name))) return false;
    return isWanted(name, wanted) || (!STEERING.test(name) && !isSecret(name, value));
  });
  return { ...Object.fromEntries(kept), ...SET };
}

function isWanted(name: string, wanted: readonly string[]): boolean {
  return wanted.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

/** A path says where a key is, not what it is. */
function isSecret(name: string, value: string): boolean {
  return SECRET.test(name) && !NO_SECRET.test(name) && !/^(?:[\\/~]|[A-Za-z]:[\\/])/.test(value);
}

/** A command from its start to its end. It is over when its shell is: what it left in its group is ended with it. */
export class CommandRun {
  /** Resolves when the command is over and everything it wrote was taken. */
  readonly ended: Promise<CommandEnd>;
  private readonly begin = performance.now();
  private readonly stopped = withResolvers<StopCause>();

  private constructor(
    private readonly command: StartedCommand,
    private readonly ends: { readonly group: ProcessGroup; readonly watch: HostWatch },
    private readonly sink: CommandSink,
    private readonly request: CommandRequest,
    private readonly held: Held | undefined,
  ) {
    const timer = setTimeout(() => this.stop('timeout'), request.timeoutMs);
    this.ended = this.toEnd().finally(() => {
      clearTimeout(timer);
      ends.watch.end();
      ends.group.release();
    });
  }

  /** @throws ToolInputError when the folder does not exist or is not one, Error when the shell cannot be started. */
  static async start(settings: CommandSettings, request: CommandRequest, sink: CommandSink): Promise<CommandRun> {
    const own = settings.shell ?? (await defaultShell());
    const held = request.confined === undefined ? undefined : await confinedShell(settings, own, request);
    const shell = held?.shell ?? (await shellBeside(settings, own, request));
    try {
      return await CommandRun.startIn(held, shell, { settings, request, sink });
    } catch (error) {
      await held?.sandbox.after(held.shell);
      throw error;
    }
  }

  private static async startIn(held: Held | undefined, shell: Shell, { settings, request, sink }: Start): Promise<CommandRun> {
    const mark = randomBytes(12).toString('hex');
    const inherited = commandEnvironment(settings.env, settings.variables?.());
    const reads = request.confined !== undefined && request.confined.work === undefined;
    const env = { ...(reads ? await readingEnvironment(inherited, request) : inherited), ...held?.shell.variables, [MARK_VARIABLE]: mark };
    const watch = new HostWatch(mark, held?.shell.work?.note);
    const command = await startCommand({ shell, command: request.command, cwd: request.cwd, env }).catch((error: unknown) => {
      watch.end();
      throw error;
    });
    watch.follow(command.pid);
    const run = new CommandRun(command, { group: new ProcessGroup(command.pid, mark), watch }, sink, request, held);
    const { running } = settings;
    running?.add(run);
    void settled(run.ended).then(() => running?.delete(run));
    return run;
  }

  /** Ends the command with all it started. The first cause counts. */
  stop(cause: StopCause): void {
    this.stopped.resolve(cause);
  }

  /** Kills all of it without waiting. */
  kill(): void {
    this.ends.group.kill();
  }

  private async toEnd(): Promise<CommandEnd> {
    const { command, sink } = this;
    const drained = Promise.all(command.outputs.map((stream) => drain(stream, (text) => sink.add(text))));
    const end = await this.endOfProcesses(settled(drained));
    await drained;
    const durationMs = performance.now() - this.begin;
    const takenAway = (await this.held?.sandbox.after(this.held.shell)) ?? [];
    return { ...end, takenAway, durationMs };
  }

  /** Waits for the shell, the time limit or a stop, then for the rest to be gone and heard. */
  private async endOfProcesses(drained: Promise<void>): Promise<Omit<CommandEnd, 'durationMs' | 'takenAway'>> {
    const {
      command,
      ends: { group },
      sink,
      request,
    } = this;
    try {
      const cause = await Promise.race([this.stopped.promise, command.exited.then(() => undefined)]);
      const left = cause === undefined ? await leftBy(group, request) : await endAll(group);
      const { code, signal } = await Promise.race([command.exited, delay(UNKILLABLE_MS, UNKILLABLE, { ref: false })]);
      await endOrSilence(drained, sink);
      return { exitCode: code ?? undefined, signal: signal ?? undefined, cause, ...left };
    } finally {
      for (const stream of command.outputs) stream.destroy();
    }
  }
}

/** What a command is started with. */
interface Start {
  readonly settings: CommandSettings;
  readonly request: CommandRequest;
  readonly sink: CommandSink;
}

/** A shell in a sandbox, with what made it. */
interface Held {
  readonly shell: HeldShell;
  readonly sandbox: Pick<Sandbox, 'after'>;
}

async function confinedShell({ sandbox, session }: CommandSettings, shell: Shell, request: CommandRequest): Promise<Held> {
  if (sandbox === undefined) throw new Error('There is no sandbox to run this command in.');
  return { shell: await sandbox.around(shell, request, session), sandbox };
}

/** The shell of a command that is not confined. */
async function shellBeside({ sandbox, closed = [] }: CommandSettings, own: Shell, { cwd }: CommandRequest): Promise<Shell> {
  return closed.length === 0 ? own : ((await sandbox?.closing(own, cwd, closed)) ?? own);
}

/** The environment of what runs unasked, in which git starts no program that the repository names. */
async function readingEnvironment(inherited: Readonly<Record<string, string>>, { command, cwd }: CommandRequest): Promise<Record<string, string>> {
  const env = confinedEnvironment(inherited);
  if (!/\bgit\b/.test(command)) return env;
  return { ...env, ...OFFLINE, ...settingVariables([...READS_ONLY, ...(await driverSettings(cwd, env))]) };
}

/** Resolves when work is over, however it went: what it throws is for those who wait for the work itself. */
function settled(work: Promise<unknown>): Promise<void> {
  const nothing = (): void => undefined;
  return work.then(nothing, nothing);
}

function leftBy(group: ProcessGroup, { confined }: CommandRequest): Promise<Leftovers> {
  return confined === undefined ? group.endLeftovers() : group.endSandbox();
}

async function endAll(group: ProcessGroup): Promise<Leftovers> {
  await group.end();
  return { leftBehind: false, detached: [] };
}

/** The pipe ends with its last writer; one that left the group is waited for only while it writes, and not for long. */
async function endOrSilence(drained: Promise<void>, sink: CommandSink): Promise<void> {
  const end = performance.now() + MAX_LATE_OUTPUT_MS;
  for (;;) {
    const before = sink.totalBytes;
    const ended = await Promise.race([drained.then(() => true), delay(LATE_OUTPUT_MS, false, { ref: false })]);
    if (ended || sink.totalBytes === before || performance.now() > end) return;
  }
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Milliseconds after which a line without end is passed on. */
const FLUSH_MS = 100;

/**
 * Carries what a stream brings on as clean text, no faster than it is taken. Ends with the stream, or when that is
 * destroyed.
 * @param take resolves when it can take more; never rejects.
 */
async function drain(stream: Readable, take: (text: string) => Promise<void>): Promise<void> {
  const text = new TerminalText();
  const timer = setInterval(() => void take(text.flush()), FLUSH_MS);
  try {
    for await (const chunk of stream) await take(text.push(chunk as Buffer));
  } catch (error) {
    // The stream was destroyed on purpose: another process still has the pipe open.
    if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    clearInterval(timer);
    await take(text.end());
  }
}

/** What programs that read need to know of the user and the language; all else of the environment may hold a key. */
const KEPT = new RegExp(
  `^(?:${anyOf(
    'PATH|HOME|USER|LOGNAME|SHELL',
    'LANG|LANGUAGE|LC_[A-Z]+|TZ',
    'TERM|NO_COLOR|PYTHONUNBUFFERED',
    '(?:GIT_|MAN)?PAGER|SYSTEMD_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_TERMINAL_PROMPT',
  )})$`,
);

/** The environment of a command in the sandbox, made of that of other commands. */
function confinedEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => KEPT.test(name));
  // Git takes no folder for a repository that looks like one by what lies in it, and does not write its index for a status.
  return { ...Object.fromEntries(kept), TMPDIR: '/tmp', GIT_OPTIONAL_LOCKS: '0' };
}
