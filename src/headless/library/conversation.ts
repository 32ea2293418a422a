import { AbortError } from '../../domain/errors.js';
import { commandLine, PrivateFiles } from './command-line.js';
import type { UserFrame } from './content.js';
import { ControlProtocol, type RequestHandler } from './control-protocol.js';
import { CliConnectionError, ControlRefusedError, ControlTimeoutError, InvalidInputError, NotConnectedError, ProcessFailedError } from './errors.js';
import { HookCallbacks } from './hook-callbacks.js';
import { InProcessServers } from './in-process-servers.js';
import { MessageQueue } from './message-queue.js';
import type { AgentMessage } from './messages.js';
import type { Options } from './options.js';
import { type JsonObject, messageParser } from './parse-message.js';
import { askPermission } from './permissions.js';
import { transportTo } from './start-cli.js';
import type { Transport } from './transport.js';

/** Milliseconds that the program may take to end once everything is answered: hooks and servers end then, too. */
const LEAVE_MS = 30_000;

/** How a conversation ended. */
interface Ending {
  readonly error?: unknown;
}

/**
 * A run of the program, from its start to its end: what both {@link Query} and {@link Session} are made of. It ends once, and only when the
 * program has ended, too: nothing runs any more when an error is thrown.
 */
export class Conversation {
  /** Resolves when it has ended. */
  readonly ended: Promise<undefined>;
  private readonly messages = new MessageQueue<AgentMessage>();
  private readonly files = new PrivateFiles();
  private readonly control: ControlProtocol;
  private readonly hooks: HookCallbacks;
  private readonly servers: InProcessServers;
  private transport: Transport | undefined;
  private connecting: Promise<Transport> | undefined;
  private starting: Promise<void> | undefined;
  private initializing: Promise<JsonObject> | undefined;
  private reading: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;
  /** How it is to end by the wish of this side. */
  private ending: Ending | undefined;
  private sent = 0;
  private answered = 0;
  private lastFailed = false;
  private allSent = false;
  private leaving: NodeJS.Timeout | undefined;
  private tellEnded: () => void = () => undefined;
  private readonly abort = (): void => void this.stop({ error: this.aborted() });

  /** @param options checked */
  constructor(private readonly options: Options) {
    const { canUseTool } = options;
    this.hooks = new HookCallbacks(options.hooks);
    this.servers = new InProcessServers(options);
    const handlers: Readonly<Record<string, RequestHandler>> = {
      hook_callback: (body, signal) => this.hooks.call(body, signal),
      mcp_message: (body, signal) => this.servers.take(body, signal),
      ...(canUseTool === undefined ? {} : { can_use_tool: (body, signal) => askPermission(canUseTool, body, signal) }),
    };
    this.control = new ControlProtocol((frame) => this.write(frame), handlers);
    this.ended = new Promise((done) => (this.tellEnded = () => done(undefined)));
  }

  /** Whether the program was started. */
  get isStarted(): boolean {
    return this.starting !== undefined;
  }

  /** The next message. @throws what the conversation ended with, as often as it is asked */
  next(): Promise<IteratorResult<AgentMessage, undefined>> {
    return this.messages.next();
  }

  /** Starts the program, once. @throws what it could not be started for */
  start(): Promise<void> {
    this.connecting ??= this.connect();
    this.starting ??= this.connecting.then((transport) => this.begin(transport));
    return this.starting;
  }

  /** What the program says of itself at the start. */
  async initialization(): Promise<JsonObject> {
    await this.start();
    return this.initializing ?? {};
  }

  /** Sends a message of the user. @throws NotConnectedError, CliConnectionError */
  async send(frame: UserFrame): Promise<void> {
    if (this.ending !== undefined || this.allSent) throw new NotConnectedError('No more messages can be sent: this run of Gnomon has ended.');
    await this.start();
    this.sent += 1;
    await this.write(frame);
  }

  /** Asks the program for something. */
  async request(body: JsonObject & { readonly subtype: string }): Promise<JsonObject> {
    if (this.ending !== undefined) throw new NotConnectedError('This run of Gnomon has ended.');
    await this.start();
    const answer = this.control.request(body);
    // Its answer is behind messages that nobody may be reading.
    this.messages.makeRoom();
    return answer;
  }

  /** Ends the input when everything that was sent has its result: until then, the program may ask for permission. */
  endInput(): void {
    this.allSent = true;
    if (this.sent === 0) void this.stop({ error: new InvalidInputError('The prompt has no message.') });
    else if (this.answered >= this.sent) this.leave();
  }

  /** Ends it because what was to be sent cannot be had, or could not be written; the program’s own end says more than the latter. */
  fail(error: unknown): void {
    if (error instanceof NotConnectedError || error instanceof CliConnectionError) void this.transport?.close();
    else void this.stop({ error });
  }

  /** Ends it. Resolves when the program has ended. Does not reject. */
  close(): Promise<void> {
    return this.stop({});
  }

  private async connect(): Promise<Transport> {
    const { options, files } = this;
    try {
      if (this.ending !== undefined || this.signals().some(({ aborted }) => aborted)) throw this.aborted();
      const transport = transportTo(commandLine(options, files), options);
      for (const signal of this.signals()) signal.addEventListener('abort', this.abort, { once: true });
      await transport.connect();
      this.transport = transport;
      return transport;
    } catch (error) {
      this.finish({ error });
      throw error;
    }
  }

  private async begin(transport: Transport): Promise<void> {
    this.reading = this.read(transport);
    this.initializing = this.initialize();
    this.initializing.catch((error: unknown) => {
      if (error instanceof ControlTimeoutError || error instanceof ControlRefusedError) void this.stop({ error });
    });
    // A guard must be there before what it guards; and tools before who is to use them.
    if (this.hooks.wire !== null || this.servers.names.length > 0) await this.initializing;
  }

  private async initialize(): Promise<JsonObject> {
    const { hooks, servers } = this;
    const brought = servers.names.length === 0 ? {} : { sdkMcpServers: servers.names };
    const answer = await this.control.request({ subtype: 'initialize', hooks: hooks.wire, ...brought });
    if (hooks.wire === null || answer['hooks_applied'] === true) return answer;
    throw new ControlRefusedError('initialize', 'Gnomon’s program does not say that it takes the hooks, so nothing is sent to it.');
  }

  private signals(): readonly AbortSignal[] {
    const { signal, abortController } = this.options;
    return [signal, abortController?.signal].filter((each) => each !== undefined);
  }

  private aborted(): AbortError {
    return new AbortError('The run was aborted.', this.signals().find(({ aborted }) => aborted)?.reason);
  }

  private async write(frame: object): Promise<void> {
    if (this.transport === undefined) throw new NotConnectedError();
    await this.transport.write(`${JSON.stringify(frame)}\n`);
  }

  /** Reads to the end, ahead of who asks for messages, but not without a limit. */
  private async read(transport: Transport): Promise<void> {
    let ending: Ending;
    try {
      for await (const raw of transport.readMessages()) {
        this.take(raw);
        while (this.messages.isFull && this.ending === undefined && !this.control.awaitsAnswer) await this.messages.changed();
      }
      ending = this.endOfOutput();
    } catch (error) {
      ending = this.isToldAlready(error) ? {} : { error };
    }
    this.control.close();
    await transport.close();
    this.finish(this.ending ?? ending);
  }

  private take(raw: JsonObject): void {
    if (this.control.take(raw) || this.ending !== undefined) return;
    const message = messageParser.parse(raw);
    this.messages.push(message);
    if (message.type !== 'result') return;
    this.answered += 1;
    this.lastFailed = message.is_error;
    if (this.allSent && this.answered >= this.sent) this.leave();
  }

  private endOfOutput(): Ending {
    if (this.answered < this.sent) return { error: new CliConnectionError('Gnomon’s program ended without the result of a message.') };
    return this.allSent ? {} : { error: new CliConnectionError('Gnomon’s program ended although it was not asked to.') };
  }

  /** A failed result is why the program ends with 1. */
  private isToldAlready(error: unknown): boolean {
    const failed = error instanceof ProcessFailedError && error.exitCode === 1 && error.cause === undefined;
    return failed && this.lastFailed && !('error' in this.endOfOutput());
  }

  private leave(): void {
    if (this.leaving !== undefined) return;
    this.leaving = setTimeout(() => void this.transport?.close(), LEAVE_MS);
    void this.transport?.endInput();
  }

  private stop(ending: Ending): Promise<void> {
    this.ending ??= ending;
    this.stopping ??= this.stopped(ending);
    return this.stopping;
  }

  private async stopped(ending: Ending): Promise<void> {
    this.messages.clear();
    await this.connecting?.catch(() => undefined);
    const { transport } = this;
    if (transport === undefined) {
      this.finish(ending);
      return;
    }
    // The end of its input alone would let it work on. Whether it still reads does not matter.
    if (this.sent > this.answered) void this.write({ type: 'control_request', request_id: 'last', request: { subtype: 'interrupt' } }).catch(() => undefined);
    await transport.close();
    await this.reading;
  }

  private finish(ending: Ending): void {
    clearTimeout(this.leaving);
    for (const signal of this.signals()) signal.removeEventListener('abort', this.abort);
    this.ending ??= ending;
    this.files.remove();
    void this.servers.close();
    this.messages.finish(ending);
    this.tellEnded();
  }
}
