import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { errorMessage } from '../../domain/errors.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { UserContent } from '../../domain/model/content.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import type { AgentSession } from '../../engine/agent-session.js';
import type { SessionEvent, Turn } from '../../engine/events.js';
import { EXIT, Impossible, type Stops } from '../exit.js';
import { shortTitle } from '../../session/library/title.js';
import { NEUTRAL_VARIABLES } from '../flag-table.js';
import type { RunOptions } from '../flags.js';
import type { HeadlessHost } from '../open-host.js';
import { askedFor } from '../prompt-message.js';
import type { Written } from '../prompt-text.js';
import { type OpenedSession, openSession } from '../session-setup.js';
import { answerTo, checkBy } from '../structured.js';
import { shownJson } from '../shown.js';
import type { Streams, Terminal } from '../terminal.js';
import type { BegunInput } from './begun-input.js';
import { type ControlBody, ControlChannel, objectIn } from './control.js';
import { type ControlledRun, ControlRequests } from './control-requests.js';
import type { DrivingProgram } from './driving-program.js';
import { type InitializeWish, readInitialize } from './initialize.js';
import { InputLines } from './input-lines.js';
import { failedResult, type RunFacts, subtypeOf, type WireMessages } from './messages.js';
import type { WireMessage } from './wire-content.js';
import { OutputLines } from './output-lines.js';
import { ProgramQuestions } from './program-questions.js';
import { SaidMessages } from './said-messages.js';
import { initMessage, wireMessages } from './session-messages.js';
import { userContent, writtenIn } from './user-frames.js';

/** The host of a run by the protocol, and the two ends of its connection. */
export interface ProtocolParts extends HeadlessHost {
  readonly streams: Streams;
  readonly terminal: Terminal;
  readonly stops: Stops;
  readonly folder: string;
  /** Takes what the other program brings. */
  readonly driven: DrivingProgram;
  readonly begun: BegunInput;
}

/** A message of the user that waits for its turn; or what is wrong with it, as it gets a result, too. */
interface Waiting {
  readonly content: readonly UserContent[] | string;
  /** Whether it is sent as it is, because a program has written it and no user has typed it: no command and no mention is looked for. */
  readonly isVerbatim: boolean;
  /** The id that the other program gave it, if it did. */
  readonly id: unknown;
}

/**
 * A run that another program drives by lines of JSON. The session is opened with the first message, so that what `initialize` says counts for
 * it. Each message of the user gets a turn and exactly one result. The end of input is not the end of the turn: what was asked for is done,
 * but nothing more can be answered.
 */
export class ProtocolRun implements ControlledRun {
  private readonly lines: OutputLines;
  private readonly control: ControlChannel;
  private readonly requests: ControlRequests;
  private readonly said = new SaidMessages();
  private wish: InitializeWish = { notes: [] };
  private refused: Error | undefined;
  private schema: JsonSchema | undefined;
  private check: Awaited<ReturnType<typeof checkBy>>;
  private readonly waiting: Waiting[] = [];
  private readonly questions: ProgramQuestions;
  private endAll: () => void = () => undefined;
  private readonly ended = new Promise<void>((resolve) => (this.endAll = resolve));
  opening: Promise<OpenedSession> | undefined;
  private messages: WireMessages | undefined;
  private working: Promise<void> | undefined;
  /** Stops what is looked up of the message that is worked on. */
  private lookingUp = new AbortController();
  private inputEnded = false;
  private exit: number | undefined;
  private lastFailed = false;

  constructor(
    private readonly options: RunOptions,
    private readonly parts: ProtocolParts,
  ) {
    this.lines = new OutputLines(
      parts.streams.output,
      () => this.whole(),
      () => this.end(EXIT.failed),
      parts.terminal.isFollowed ? shownJson : undefined,
    );
    this.control = new ControlChannel((message) => this.lines.write(message));
    this.questions = new ProgramQuestions(this.control, parts.folder);
    parts.driven.attach(this.control);
    this.requests = new ControlRequests({ ...parts, said: this.said }, this);
  }

  /** Follows the protocol to its end. @returns the exit code */
  async run(): Promise<number> {
    const { stops, streams } = this.parts;
    const stopping = [stops.onInterrupt(() => this.interrupted()), stops.onTerminate(() => this.end(EXIT.terminated))];
    for (const [name, why] of Object.entries(NEUTRAL_VARIABLES))
      if (streams.environment[name] !== undefined) this.note(`${name} has no effect in Gnomon: ${why}.`);
    this.read();
    await this.ended;
    this.control.close();
    for (const stop of stopping) stop();
    const opened = await this.opening?.catch(() => undefined);
    await opened?.session.close();
    await this.lines.drained();
    return this.exit ?? (this.lastFailed ? EXIT.failed : EXIT.done);
  }

  private read(): void {
    const { head, ended, rest: input } = this.parts.begun;
    const lines = new InputLines();
    const take = (found: ReturnType<InputLines['push']>): void => {
      for (const line of found) {
        if (line.kind === 'object') this.take(line.value);
        // Another program’s mistake must not look like silence.
        else this.note(`Standard input: ${line.why}`);
      }
    };
    const end = (): void => {
      const last = lines.end();
      for (const line of last) if (line.kind === 'object') this.take(line.value);
      // Whoever wrote it may have died of something, and must not be told that all is done.
      if (last.some(({ kind }) => kind === 'invalid'))
        this.queue({ content: 'the input ended within a line, which is no whole JSON.', isVerbatim: true, id: undefined });
      this.endOfInput();
    };
    take(lines.push(head));
    if (ended) return end();
    input.on('data', (bytes: Buffer) => take(lines.push(bytes)));
    input.once('end', end);
    input.once('error', () => this.endOfInput());
    // It was paused if its first line was waited for.
    input.resume();
  }

  /** Says something on standard error, where what others have written must not steer a terminal. */
  private note(text: string): void {
    this.parts.terminal.line(showUnseen(text));
  }

  private take(frame: ControlBody): void {
    switch (frame['type']) {
      case 'user':
        this.say(frame);
        return;
      case 'control_request':
        this.asks(frame['request_id'], objectIn(frame['request']));
        return;
      case 'control_response':
        this.control.answered(frame);
        return;
      // Requests are answered as they come, so there is none to be cancelled.
      case 'control_cancel_request':
      case 'keep_alive':
        return;
      default:
        this.note(`Standard input: a message of the type “${String(frame['type'])}” is not known.`);
    }
  }

  private asks(id: unknown, request: ControlBody): void {
    const canAnswer = typeof id === 'string' && id !== '';
    const subtype = String(request['subtype']);
    try {
      const problem = `Standard input: the request “${subtype}” has no request_id that is a text, so that it cannot be answered, and is not carried out.`;
      if (!canAnswer && subtype === 'initialize') throw new Impossible(problem, EXIT.usage);
      if (!canAnswer) return this.note(problem);
      if (subtype === 'initialize') this.begins(readInitialize(request));
      void this.requested(id, request);
    } catch (error) {
      // A client need not wait for the answer: what it asks for next must not be done without what it wanted.
      if (canAnswer) this.control.respond(id, { error: errorMessage(error) });
      this.note(errorMessage(error));
      this.refused = error instanceof Error ? error : new Error(errorMessage(error));
      this.waiting.splice(0).forEach(() => this.reportFailure(errorMessage(error)));
      this.end(EXIT.usage);
    }
  }

  /** @throws Impossible for what could not count any more */
  private begins(wish: InitializeWish): void {
    // A client may say again what it has said.
    if (isDeepStrictEqual(wish, this.wish)) return;
    const { notes, ...wanted } = wish;
    if (this.opening !== undefined && Object.keys(wanted).length > 0)
      throw new Impossible('initialize came after the session had been begun, so that it cannot be followed.', EXIT.usage);
    this.wish = wish;
    for (const note of notes) this.note(note);
  }

  private say(frame: ControlBody): void {
    this.queue({ content: userContent(frame), isVerbatim: frame['client_composed'] === true, id: frame['uuid'] });
  }

  private queue(next: Waiting): void {
    if (typeof next.content === 'string') this.note(`Standard input: ${next.content}`);
    if (this.refused !== undefined) return this.reportFailure(errorMessage(this.refused));
    this.waiting.push(next);
    this.working ??= this.work();
  }

  /** Works on what waits, one turn after the other. */
  private async work(): Promise<void> {
    const stopLooking = this.lines.lookAfterReader();
    try {
      const opened = await this.open();
      for (let next = this.waiting[0]; next !== undefined && this.exit === undefined; next = this.waiting[0]) {
        if (typeof next.content === 'string') this.reportFailure(`Nothing was sent: ${next.content}`);
        else await this.answer(next.isVerbatim ? { words: '', attached: next.content } : writtenIn(next.content), opened);
        this.waiting.shift();
      }
    } catch (error) {
      this.failed(error);
    } finally {
      stopLooking();
      this.working = undefined;
      if (this.inputEnded || this.exit !== undefined) this.endAll();
      else if (this.waiting.length > 0) this.working = this.work();
    }
  }

  private async answer(written: Written, { session }: OpenedSession): Promise<void> {
    const { host, documents } = this.parts;
    this.lookingUp = new AbortController();
    const asked = await askedFor(written, { host, documents, session, signal: this.lookingUp.signal }).catch((error: unknown) => errorMessage(error));
    if (typeof asked === 'string') {
      this.reportFailure(asked);
      return;
    }
    if (asked.kind === 'message') for (const note of asked.notes) this.note(note);
    const { turn, facts } = await answerTo(asked, session, { schema: this.schema, check: this.check }, this.lookingUp.signal);
    await this.parts.tellUnused();
    this.report(turn, facts);
  }

  /** Stops what is being answered. */
  async interrupt(): Promise<void> {
    const opened = await this.opening;
    if (opened !== undefined) this.stopAnswer(opened.session);
  }

  private stopAnswer(session: AgentSession): void {
    this.lookingUp.abort();
    session.cancel();
  }

  private report(turn: Turn, facts: RunFacts): void {
    this.lastFailed = facts.structuredProblem !== undefined || subtypeOf(turn) !== 'success';
    const result = this.messages?.result(turn, facts);
    if (result !== undefined) this.lines.write(result);
  }

  private failed(error: unknown): void {
    // The one that was tried, and those behind it: each gets its result.
    this.waiting.splice(0).forEach(() => this.reportFailure(errorMessage(error)));
    this.end(error instanceof Impossible ? error.exit : EXIT.failed);
  }

  private reportFailure(why: string): void {
    this.lastFailed = true;
    const result = failedResult(this.parts.clean(why));
    this.lines.write(this.messages?.framed(result) ?? { ...result, session_id: '', uuid: randomUUID() });
  }

  open(): Promise<OpenedSession> {
    if (this.refused !== undefined) return Promise.reject(this.refused);
    this.opening ??= this.opened();
    return this.opening;
  }

  private async opened(): Promise<OpenedSession> {
    const { host, folder } = this.parts;
    await this.readForm();
    const opened = await openSession({ ...this.options, ...this.wish }, this.parts, this.options.asksByProtocol ? this.questions.ofModels : undefined);
    const { session } = opened;
    const messages = wireMessages(session, this.parts, { partial: this.options.partialMessages, folder });
    this.messages = messages;
    this.lines.write(messages.framed(await initMessage(opened, host, folder)));
    session.onEvent((event) => {
      if (event.type === 'round_started') void this.parts.tellUnused();
      if (event.type === 'turn_started') this.heard(event, session.id, messages);
      for (const message of messages.of(event)) this.lines.write(message);
    });
    host.sessions.onDidChangeAsks(() => this.questions.askAgain(session, this.requests.neverAsks));
    return opened;
  }

  tell(message: WireMessage): void {
    this.lines.write(this.messages?.framed(message) ?? message);
  }

  /** Notes where a message of the user is, and repeats it to who asked for that. */
  private heard({ message, index }: Extract<SessionEvent, { type: 'turn_started' }>, session: string, messages: WireMessages): void {
    if (index === 0) this.name(session);
    const uuid = this.said.note(session, index, this.waiting[0]?.id);
    if (this.options.replaysUserMessages) this.lines.write({ ...messages.said(message), uuid });
  }

  /** Gives a new session the title that its program wants. */
  private name(session: string): void {
    const { library, log } = this.parts;
    const title = shortTitle(this.wish.title ?? '');
    if (title !== undefined) library.label(session, { title, titleBy: 'person' }).catch((error: unknown) => log.error('The title could not be kept', error));
  }

  /** The form of answers, which can be another one than that of the command line. */
  private async readForm(): Promise<void> {
    this.schema = this.wish.schema ?? this.options.schema;
    try {
      this.check = await checkBy(this.schema);
    } catch (error) {
      throw new Impossible(errorMessage(error), EXIT.usage);
    }
  }

  /** Answers a control request. */
  private async requested(id: string, request: ControlBody): Promise<void> {
    try {
      const response = await this.requests.carryOut(request);
      if (response === undefined)
        this.control.respond(id, {
          error: typeof request['subtype'] === 'string' ? `Gnomon has no control request “${request['subtype']}”.` : 'The control request has no subtype.',
          code: 'unsupported_request',
        });
      else this.control.respond(id, { response });
    } catch (error) {
      this.control.respond(id, { error: this.parts.clean(errorMessage(error)) });
    }
  }

  /** Once: the turn is interrupted. Twice, or where none runs: the end. */
  private interrupted(): void {
    this.whenOpen((session) => {
      if (this.working === undefined) this.end(EXIT.interrupted);
      else this.stopAnswer(session);
    });
    if (this.opening === undefined) this.end(EXIT.interrupted);
  }

  private endOfInput(): void {
    this.inputEnded = true;
    this.control.close();
    if (this.working === undefined) this.endAll();
  }

  /** Does something with the session that is open, or is being opened. */
  private whenOpen(act: (session: AgentSession) => void): void {
    this.opening?.then(
      ({ session }) => act(session),
      // Whoever opens it says why that failed.
      () => undefined,
    );
  }

  private end(exit: number): void {
    this.exit ??= exit;
    this.whenOpen((session) => this.stopAnswer(session));
    if (this.working === undefined) this.endAll();
  }

  private whole(): string {
    return 'the stored session';
  }
}
