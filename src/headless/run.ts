import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import { showUnseen } from '../domain/hidden-characters.js';
import type { Ask, AskedPermission } from '../domain/tool/asks.js';
import type { Questions } from '../domain/tool/interaction.js';
import type { AgentSession } from '../engine/agent-session.js';
import type { Turn } from '../engine/events.js';
import { redact, secretsOf } from '../text/redact.js';
import { askPermission, askQuestion } from './ask-on-terminal.js';
import { lookBefore } from './changed-files.js';
import { EXIT, Impossible, type Stops } from './exit.js';
import type { RunOptions, WantedConfiguration } from './flags.js';
import { beginInput, type BegunInput } from './ndjson/begun-input.js';
import { DrivingProgram } from './ndjson/driving-program.js';
import { failedResult, type RunFacts, subtypeOf } from './ndjson/messages.js';
import { OutputLines } from './ndjson/output-lines.js';
import { logTo } from './log.js';
import { type HeadlessHost, openHost, type ProgramParts } from './open-host.js';
import { folderAt, type Places } from './places.js';
import { promptOf } from './prompt.js';
import { askedFor } from './prompt-message.js';
import type { Written } from './prompt-text.js';
import { TextReport } from './report.js';
import { type OpenedSession, openSession } from './session-setup.js';
import { readStart } from './start-configuration.js';
import { chooseSession } from './storage/choose-session.js';
import { shownJson } from './shown.js';
import { type Answered, answerTo, checkBy } from './structured.js';
import { type Streams, Terminal } from './terminal.js';

/** Surroundings of a run in its process. */
export interface RunSurroundings {
  readonly program: ProgramParts;
  readonly streams: Streams;
  readonly stops: Stops;
  /** Absolute path of the current folder. */
  readonly folder: string;
}

/** Runs a prompt, or what comes by the protocol. Does not reject. @returns the exit code */
export async function run(options: RunOptions, { program, streams, stops, folder }: RunSurroundings): Promise<number> {
  const terminal = new Terminal(streams);
  const keys = new Set<string>();
  const log = logTo(terminal, () => secretsOf(keys));
  try {
    const begun = options.awaitsInitialize ? await beginInput(streams.input) : { head: new Uint8Array(), ended: false, rest: streams.input };
    const startedWith = await readStart(withServers(options.configuration, begun), folder, (note) => terminal.line(showUnseen(note)));
    const prompt = options.inputIsProtocol ? undefined : await promptOf(options.prompt, streams.input);
    if (prompt?.kind === 'none') throw new Impossible(prompt.why, EXIT.usage);
    if (prompt?.note !== undefined) terminal.line(terminal.look('yellow', prompt.note));
    const check = await checkBy(options.schema).catch((error: unknown) => {
      throw new Impossible(`--json-schema: ${errorMessage(error)}`, EXIT.usage);
    });
    const folders = [folder, ...options.addedFolders.map((path) => folderAt(resolve(folder, path)))];
    const { session, places: stored } = await chooseSession(options, { folder, environment: streams.environment, log });
    const passing = options.persists ? undefined : await mkdtemp(join(tmpdir(), 'gnomon-'));
    const places = passing === undefined ? stored : { ...stored, project: passing, sessions: passing, review: join(passing, 'review') };
    const leavesPending = options.storage === 'vscode';
    const driven = new DrivingProgram();
    const allowed = { trusted: options.trustsProject, bypassConfirmed: options.mayBypass };
    const wish = { folders, places, session, leavesPending, ...allowed, startedWith, settings: {}, log, keys, driven };
    try {
      const opened = await openHost(program, wish);
      try {
        const parts = { ...opened, streams, terminal, stops, folder, places, driven, begun };
        if (prompt !== undefined) return await new PromptRun(options, parts, check).run(prompt);
        // Not loaded where there is one prompt, as what makes messages is not where the answer is text.
        const { ProtocolRun } = await import('./ndjson/protocol-run.js');
        return await new ProtocolRun(options, parts).run();
      } finally {
        await opened.close();
      }
    } finally {
      if (passing !== undefined) await rm(passing, { recursive: true, force: true });
    }
  } catch (error) {
    const why = redact(showUnseen(errorMessage(error)), secretsOf(keys));
    terminal.line(why);
    // Who reads results would otherwise take the end for a program that has died.
    if (options.output !== 'text') streams.output.write(`${JSON.stringify({ ...failedResult(why), session_id: '', uuid: randomUUID() })}\n`);
    return error instanceof Impossible ? error.exit : EXIT.failed;
  }
}

/** The servers of the first request are read as those of the command line are. */
function withServers(wanted: WantedConfiguration, { servers }: BegunInput): WantedConfiguration {
  return servers === undefined ? wanted : { ...wanted, servers: [...wanted.servers, servers] };
}

interface PromptParts extends HeadlessHost {
  readonly streams: Streams;
  readonly terminal: Terminal;
  readonly stops: Stops;
  readonly folder: string;
  readonly places: Places;
}

/** Sends one message, and ends when it is answered. */
class PromptRun {
  private readonly stopping = new AbortController();
  private exit: number | undefined;
  private asking = false;
  /** What the user was asked already. */
  private readonly answered = new WeakSet<Ask>();

  /** @param check of answers in a form that was asked for */
  constructor(
    private readonly options: RunOptions,
    private readonly parts: PromptParts,
    private readonly check: Awaited<ReturnType<typeof checkBy>>,
  ) {}

  async run(written: Written): Promise<number> {
    const { terminal, stops, streams } = this.parts;
    const opened = await openSession(this.options, this.parts, terminal.canAsk ? this.questions() : undefined);
    const { session } = opened;
    // Whoever read it has enough, as `head` does.
    for (const stream of [streams.output, streams.errors])
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') this.unwritable(error);
        this.stop(session, EXIT.failed);
      });
    const ends = [
      session.onEvent(({ type }) => {
        if (type === 'round_started') void this.parts.tellUnused();
      }),
      this.parts.host.sessions.onDidChangeAsks(() => void this.answerAsks(session)),
      stops.onInterrupt(() => this.stop(session, EXIT.interrupted)),
      stops.onTerminate(() => this.stop(session, EXIT.terminated)),
    ];
    try {
      const turn = this.options.output === 'text' ? await this.asText(session, written) : await this.asMessages(opened, written);
      return this.exit ?? (turn !== undefined && subtypeOf(turn) === 'success' ? EXIT.done : EXIT.failed);
    } finally {
      for (const end of ends) end();
      await session.close();
    }
  }

  private async asText(session: AgentSession, written: Written): Promise<Turn> {
    const { streams, terminal, folder } = this.parts;
    // Words that are just being written to the same terminal would be broken by it.
    if (terminal.isWatched) await this.parts.tellUnused();
    const report = new TextReport(streams, terminal, this.parts.clean, this.check !== undefined);
    const changedSince = await lookBefore(this.parts);
    const forget = session.onEvent((event) => report.event(event));
    const answered = await this.answer(session, written);
    forget();
    this.problem(answered.facts);
    const changed = changedSince(session.id);
    report.end(answered, changed, folder);
    if (changed.length > 0 && this.options.storage === 'vscode') terminal.line('To keep or undo this piece by piece, open the chat in VS Code.');
    return answered.turn;
  }

  private async asMessages(opened: OpenedSession, written: Written): Promise<Turn | undefined> {
    const { session } = opened;
    const { streams, terminal, host, folder } = this.parts;
    const { initMessage, wireMessages } = await import('./ndjson/session-messages.js');
    const lines = new OutputLines(
      streams.output,
      () => `the session ${session.id}`,
      () => this.stop(session, EXIT.failed),
      terminal.isFollowed ? shownJson : undefined,
    );
    const messages = wireMessages(session, this.parts, { partial: this.options.partialMessages, folder });
    const all = this.options.output === 'stream-json';
    if (all) lines.write(messages.framed(await initMessage(opened, host, folder)));
    const forget = session.onEvent((event) => {
      if (!all) return;
      if (event.type === 'turn_started' && this.options.replaysUserMessages) lines.write(messages.said(event.message));
      for (const message of messages.of(event)) lines.write(message);
    });
    const answered = await this.answer(session, written).catch((error: unknown) => errorMessage(error));
    forget();
    if (typeof answered === 'string') {
      this.parts.terminal.line(showUnseen(answered));
      lines.write(messages.framed(failedResult(answered)));
    } else {
      this.problem(answered.facts);
      lines.write(messages.result(answered.turn, answered.facts));
    }
    await lines.drained();
    return typeof answered === 'string' ? undefined : answered.turn;
  }

  /** Sends what was written. @throws Error with a sentence for the user for what cannot be sent */
  private async answer(session: AgentSession, written: Written): Promise<Answered> {
    const { host, documents, terminal } = this.parts;
    const asked = await askedFor(written, { host, documents, session, signal: this.stopping.signal });
    if (asked.kind === 'message') for (const note of asked.notes) terminal.line(showUnseen(note));
    const answered = await answerTo(asked, session, { schema: this.options.schema, check: this.check }, this.stopping.signal);
    await this.parts.tellUnused();
    return answered;
  }

  /** Notes that there is no answer in the form that was asked for. */
  private problem({ structuredProblem }: RunFacts): void {
    if (structuredProblem === undefined) return;
    this.exit ??= EXIT.failed;
    if (this.options.output === 'text') this.parts.terminal.line(showUnseen(structuredProblem));
  }

  private questions(): Questions {
    return { ask: (_callId, question, signal) => askQuestion(question, this.parts.terminal, signal) };
  }

  /** Asks the user at the terminal, about one call after the other. */
  private async answerAsks(session: AgentSession): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    // An answer takes a moment to arrive at the call, which waits until then.
    const isOpen = (ask: Ask): ask is AskedPermission => ask.kind === 'permission' && !this.answered.has(ask);
    try {
      for (let ask = session.asks.waiting.find(isOpen); ask !== undefined && !this.stopping.signal.aborted; ask = session.asks.waiting.find(isOpen)) {
        this.answered.add(ask);
        await this.answerAsk(session, ask);
      }
    } finally {
      this.asking = false;
    }
  }

  /** Asks about one call, for as long as that waits: it may be stopped, or ask anew because it is another one by then. */
  private async answerAsk(session: AgentSession, ask: AskedPermission): Promise<void> {
    const { host, terminal, folder } = this.parts;
    const over = new AbortController();
    const forget = host.sessions.onDidChangeAsks(() => {
      if (!session.asks.waiting.includes(ask)) over.abort();
    });
    try {
      const answer = await askPermission(ask, { terminal, folder, signal: AbortSignal.any([this.stopping.signal, over.signal]) });
      if (answer !== undefined) session.answer(ask.callId, answer, ask.revision, ask.who.session);
      else if (!over.signal.aborted) this.stop(session, EXIT.interrupted);
    } finally {
      forget();
    }
  }

  /** Says once that the output cannot be written, as where a disk is full. */
  private unwritable(error: Error): void {
    if (this.exit === undefined) this.parts.terminal.line(`The output could not be written, so the run was stopped: ${showUnseen(errorMessage(error))}`);
  }

  private stop(session: AgentSession, exit: number): void {
    this.exit ??= exit;
    this.stopping.abort();
    session.cancel();
  }
}
