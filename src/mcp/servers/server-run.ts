import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { type McpConnection, McpError, type McpHandlers, type McpLogLine, type McpTarget } from '../../domain/mcp/connection.js';
import type { McpQuestions, McpServersDeps } from './ports.js';
import { ServerLists } from './server-lists.js';
import type { ServerRecord } from './server-record.js';

/** Milliseconds after which a server is reported as slow. Waiting continues, as first starts can download packages. */
const SLOW_MS = 30_000;
/** Milliseconds that the tools of a server may take before it counts as connected without them; they come when they come. */
const TOOLS_MS = 10_000;
/** Milliseconds in which a connection says why it ended, after a call that failed because of it. */
const REASON_MS = 500;
/** Last lines of error output that are quoted with a call that failed because the server ended. */
const LAST_LINES = 5;

/** Ports and state that one run of a server uses. */
interface RunDeps extends Pick<McpServersDeps, 'connector' | 'clock' | 'wait'> {
  readonly name: string;
  readonly record: ServerRecord;
  readonly questions: McpQuestions;
  readonly resourceUpdated: (uri: string) => void;
  readonly logged: (line: McpLogLine) => void;
}

/** End of a run, with its reason. */
export interface RunEnd {
  readonly error: McpError;
  /** Milliseconds that it was connected. */
  readonly upMs: number;
  /** Resolves when nothing is left of it. */
  readonly gone: Promise<void>;
}

/** One connection of a server, from the attempt until nothing is left of it. */
export class ServerRun {
  private readonly ended = new AbortController();
  /** Callbacks that fail pending work when the run ends. */
  private readonly waiting = new Set<(error: McpError) => void>();
  private reason: McpError | undefined;
  private lists: ServerLists | undefined;
  private connection: McpConnection | undefined;

  constructor(private readonly deps: RunDeps) {}

  /** Whether calls can be made. */
  get isUp(): boolean {
    return this.connection !== undefined && !this.ended.signal.aborted;
  }

  /** Ends it for a reason, with which everything that is pending rejects at once. Only the first reason counts. */
  end(error: McpError): void {
    if (this.reason !== undefined) return;
    this.reason = error;
    this.ended.abort();
    for (const tell of this.waiting) tell(error);
    this.waiting.clear();
  }

  /**
   * Connects, reads the lists, and keeps the connection until it ends.
   * @param answered called when the server has answered
   */
  async live(target: McpTarget, answered: () => void): Promise<RunEnd> {
    const connection = await this.connect(target);
    if (connection instanceof McpError) {
      this.end(connection);
      return { error: connection, upMs: 0, gone: Promise.resolve() };
    }
    const since = this.deps.clock.monotonic();
    answered();
    if (!this.ended.signal.aborted) await this.serve(connection);
    const error = await this.over();
    return { error, upMs: this.deps.clock.monotonic() - since, gone: connection.close() };
  }

  /** Does something with the connection. Rejects at once when that ends; what comes later is dropped. */
  async use<T>(work: (connection: McpConnection) => Promise<T>): Promise<T> {
    const { connection } = this;
    if (connection === undefined) throw new McpError('closed', t('“{0}” is not running.', this.deps.name));
    try {
      return await this.unlessOver(work(connection));
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      if (error.kind !== 'closed') throw this.scrubbed(error);
      await this.deps.wait(REASON_MS, this.ended.signal);
      // Over HTTP, an answer can break off while the connection goes on.
      if (this.reason === undefined) throw error;
      throw new McpError('closed', this.lastWords(this.reason), { cause: error });
    }
  }

  /** Resolves with why it ended. */
  private over(): Promise<McpError> {
    return new Promise((resolve) => {
      if (this.reason === undefined) this.waiting.add(resolve);
      else resolve(this.reason);
    });
  }

  /** Resolves when the lists of the server are known, as far as it gives them. */
  async listed(): Promise<void> {
    await this.lists?.settled();
  }

  /** The result of some work, unless the run ends first. Not a race with a promise of the end, which would keep every result until then. */
  private unlessOver<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = (): void => void this.waiting.delete(reject);
      if (this.reason === undefined) this.waiting.add(reject);
      else reject(this.reason);
      work.then(resolve, reject);
      work.then(done, done);
    });
  }

  /** Removes secrets from the message of an error, and drops its cause, which could contain them. */
  private scrubbed(error: McpError): McpError {
    const message = this.deps.record.scrub(error.message);
    return message === error.message ? error : new McpError(error.kind, message, error.code === undefined ? {} : { code: error.code });
  }

  private lastWords(reason: McpError): string {
    const { name, record } = this.deps;
    const lines = record.lastLines(LAST_LINES);
    const sentence = t('“{0}” ended during the call. {1}', name, record.scrub(reason.message));
    return lines.length === 0 ? sentence : [sentence, t('The last lines of its error output:'), ...lines].join('\n');
  }

  private async connect(target: McpTarget): Promise<McpConnection | McpError> {
    const { connector, record, wait } = this.deps;
    const answered = new AbortController();
    void wait(SLOW_MS, answered.signal).then(() => {
      if (answered.signal.aborted || this.ended.signal.aborted) return;
      record.set({
        phase: { status: 'pending', waitsFor: 'connecting', problem: t('It has not answered for {0} seconds. Gnomon keeps waiting.', SLOW_MS / 1_000) },
      });
    });
    try {
      return await connector.connect(target, this.handlers(), this.ended.signal);
    } catch (error) {
      return error instanceof McpError ? error : new McpError('protocol', errorMessage(error), { cause: error });
    } finally {
      answered.abort();
    }
  }

  private async serve(connection: McpConnection): Promise<void> {
    const { record, clock, wait } = this.deps;
    const { signal } = this.ended;
    const lists = new ServerLists(connection, signal, record.features, { clock, wait, tell: (features) => record.set({ features }) });
    this.lists = lists;
    const waited = new AbortController();
    await Promise.race([lists.read('tools'), wait(TOOLS_MS, waited.signal), this.over()]);
    waited.abort();
    if (signal.aborted) return;
    this.connection = connection;
    record.set({ phase: { status: 'connected' }, agreement: connection.agreement });
    void lists.read('prompts');
    void lists.read('resources');
  }

  /** Handlers for events of the connection. After the run's end, events only add to the error output. */
  private handlers(): McpHandlers {
    const { record, questions, resourceUpdated, logged } = this.deps;
    return {
      ...questions,
      changed: (list) => {
        // Before the first reading there is nothing to be read anew.
        if (!this.ended.signal.aborted) void this.lists?.read(list);
      },
      resourceUpdated: (uri) => {
        if (!this.ended.signal.aborted) resourceUpdated(uri);
      },
      logged: ({ level, text }) => {
        if (!this.ended.signal.aborted) logged({ level: record.scrub(level), text: record.scrub(text) });
      },
      traffic: (message) => record.addMessage(message),
      stderr: (line) => record.addLine(line),
      closed: ({ reason }) => this.end(new McpError('closed', reason)),
    };
  }
}
