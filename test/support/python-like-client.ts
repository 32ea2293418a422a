import type { Run } from './headless-program.js';
import type { Driven, Message } from './protocol-rig.js';

/** Characters of a line that it reads at most (`_DEFAULT_MAX_BUFFER_SIZE` of claude-agent-sdk for Python 0.2.143). */
const MAX_BUFFER = 1_048_576;

/** What it answers to what it is asked, by the subtype of the request. */
export type Answers = Readonly<Record<string, (request: Message) => object>>;

/**
 * A client that does as the Agent SDK for Python does, of which the packages are not needed for that: it gives each value of the command line as
 * a word of its own, waits for the answer to `initialize` before it says anything, joins what it reads until it is JSON, and breaks on a
 * line that is longer than its buffer. A prompt that is a text ends its input at once; a conversation leaves it open.
 */
export class PythonLikeClient {
  private readonly process: Run['process'];
  private readonly frames: Message[] = [];
  private readonly answered = new Map<string, Message>();
  private wake: () => void = () => undefined;
  private buffer = '';
  private over = false;
  private broken: Error | undefined;
  private count = 0;
  /** Resolves to the exit code. */
  readonly exit: Promise<number | null>;

  constructor(
    driven: Driven<Run>,
    args: readonly string[],
    private readonly answers: Answers = {},
  ) {
    const run = driven.drive('--system-prompt', '', ...args);
    this.process = run.process;
    this.process.stdout.on('data', (text: string) => this.take(text));
    this.exit = run.end.then(({ code }) => {
      this.over = true;
      this.wake();
      return code;
    });
  }

  /** Begins. @throws Error with what the program refuses it for, as that SDK does */
  async initialize(fields: object = {}): Promise<Message> {
    return this.request({ subtype: 'initialize', hooks: null, ...fields });
  }

  /** Asks the program, and waits for its answer. */
  async request(body: object): Promise<Message> {
    const id = `req_${(this.count += 1)}_${process.pid}`;
    this.write({ type: 'control_request', request_id: id, request: body });
    for (;;) {
      const response = this.answered.get(id);
      if (response?.['subtype'] === 'error') throw new Error(String(response['error']));
      if (response !== undefined) return response['response'] as Message;
      if (this.over || this.broken !== undefined) throw this.broken ?? new Error('The program has ended.');
      await this.more();
    }
  }

  say(content: string): void {
    this.write({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: 'default' });
  }

  endInput(): void {
    this.process.stdin.end();
  }

  /** `query(prompt=…)`: the prompt, the end of input, and all that comes. */
  async all(prompt: string): Promise<readonly Message[]> {
    await this.initialize();
    this.say(prompt);
    this.endInput();
    const messages: Message[] = [];
    for await (const message of this.messages()) messages.push(message);
    return messages;
  }

  /** `receive_response()`: what comes up to the next result. */
  async response(): Promise<readonly Message[]> {
    const messages: Message[] = [];
    for await (const message of this.messages()) {
      messages.push(message);
      if (message['type'] === 'result') break;
    }
    return messages;
  }

  private async *messages(): AsyncGenerator<Message> {
    for (;;) {
      if (this.broken !== undefined) throw this.broken;
      const next = this.frames.shift();
      if (next !== undefined) yield next;
      else if (this.over) return;
      else await this.more();
    }
  }

  private more(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  private write(frame: object): void {
    this.process.stdin.write(`${JSON.stringify(frame)}\n`);
  }

  /** Lines are stripped and joined until they are JSON. */
  private take(text: string): void {
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      this.buffer += line.trim();
      if (this.buffer.length > MAX_BUFFER) {
        this.broken = new Error(`JSON message exceeded maximum buffer size of ${MAX_BUFFER} bytes`);
        this.wake();
        return;
      }
      const frame = parsed(this.buffer);
      if (frame === undefined) continue;
      this.buffer = '';
      this.route(frame);
    }
  }

  private route(frame: Message): void {
    if (frame['type'] === 'control_response') {
      const response = frame['response'] as Message;
      this.answered.set(String(response['request_id']), response);
    } else if (frame['type'] === 'control_request') {
      const request = frame['request'] as Message;
      const response = this.answers[String(request['subtype'])]?.(request) ?? {};
      this.write({ type: 'control_response', response: { subtype: 'success', request_id: frame['request_id'], response } });
    } else if (frame['type'] !== 'control_cancel_request') this.frames.push(frame);
    this.wake();
  }
}

function parsed(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
