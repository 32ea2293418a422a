import {
  client,
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type CreateTerminalRequest,
  type InitializeResponse,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { type Readable, Writable } from 'node:stream';
import type { RunningProgram } from './headless-program.js';

/** A kind of update. */
export type UpdateKind = SessionUpdate['sessionUpdate'];
/** An update of a kind. */
export type UpdateOf<Kind extends UpdateKind> = Extract<SessionUpdate, { sessionUpdate: Kind }>;

/** What the user of the editor chooses, given what they are asked; waits where it does. */
export type Choose = (request: RequestPermissionRequest, signal: AbortSignal) => RequestPermissionResponse | Promise<RequestPermissionResponse>;

/** An option by its id. */
export function selected(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: 'selected', optionId } };
}

/** A program, by its streams. */
interface AgentProgram {
  readonly process: { readonly stdin: Writable; readonly stdout: Readable };
}

/** An editor that has started the program, by the client side of the official SDK. */
export class TestEditor<Program extends AgentProgram = RunningProgram> {
  readonly agent: ClientContext;
  readonly closed: Promise<void>;
  readonly notifications: SessionNotification[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  readonly forms: CreateElicitationRequest[] = [];
  /** What was read of its files, and written to them, in order. */
  readonly fileRequests: string[] = [];
  /** Its buffers, by path. Those that it has not are no files of its project. */
  readonly buffers = new Map<string, string>();
  /** What it does with a text that it was given, beside keeping it. */
  save: (path: string, text: string) => void = () => undefined;
  /** Why it gives no files; absent where it does. */
  refuse: Error | undefined;
  choose: Choose = () => selected('allow_once');
  fill: (request: CreateElicitationRequest) => CreateElicitationResponse = () => ({ action: 'cancel' });
  /** What the program has written, as it is. */
  received = '';
  /** The commands that it was to run in its terminals. */
  readonly terminals: CreateTerminalRequest[] = [];

  constructor(readonly program: Program) {
    const { stdin, stdout } = program.process;
    const input = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stdout.on('data', (text: string | Buffer) => {
          this.received += text.toString();
          controller.enqueue(Buffer.from(text));
        });
        stdout.once('end', () => controller.close());
      },
    });
    const connection = client({ name: 'test' })
      .onNotification(methods.client.session.update, ({ params }) => void this.notifications.push(params))
      .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
        this.asked.push(params);
        return this.choose(params, signal);
      })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        this.forms.push(params);
        return this.fill(params);
      })
      .onRequest(methods.client.fs.readTextFile, ({ params }) => {
        this.fileRequests.push(`read ${params.path}`);
        if (this.refuse !== undefined) throw this.refuse;
        const content = this.buffers.get(params.path);
        if (content === undefined) throw new Error('It is no file of this project.');
        return { content };
      })
      .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
        this.fileRequests.push(`write ${params.path}`);
        this.buffers.set(params.path, params.content);
        this.save(params.path, params.content);
        return {};
      })
      .onRequest(methods.client.terminal.create, ({ params }) => {
        this.terminals.push(params);
        return { terminalId: `${this.terminals.length}` };
      })
      .connect(ndJsonStream(Writable.toWeb(stdin), input));
    this.agent = connection.agent;
    this.closed = connection.closed;
  }

  /** Says what it can do. */
  initialize(clientCapabilities: ClientCapabilities = {}): Promise<InitializeResponse> {
    return this.agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities, clientInfo: { name: 'test', version: '1' } });
  }

  /** Says something in a session. @returns why its turn is over */
  async prompt(sessionId: string, text: string): Promise<string> {
    const { stopReason } = await this.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
    return stopReason;
  }

  /** What it was told of a session so far. */
  updates(sessionId?: string): readonly SessionUpdate[] {
    return this.notifications.filter((each) => sessionId === undefined || each.sessionId === sessionId).map(({ update }) => update);
  }

  /** The updates of a kind. */
  ofKind<Kind extends UpdateKind>(kind: Kind, sessionId?: string): readonly UpdateOf<Kind>[] {
    return this.updates(sessionId).filter((update): update is UpdateOf<Kind> => update.sessionUpdate === kind);
  }

  /** The words of a kind of chunks, joined. */
  words(kind: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk', sessionId?: string): string {
    return this.ofKind(kind, sessionId)
      .map(({ content }) => (content.type === 'text' ? content.text : ''))
      .join('');
  }
}
