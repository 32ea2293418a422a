import { isDeepStrictEqual } from 'node:util';
import { Signal } from '../../concurrency/signal.js';
import { AbortError, errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import { type McpCallOptions, type McpConnection, McpError } from '../../domain/mcp/connection.js';
import type { McpCallResult, McpToolInfo } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { McpHold, McpServerEntry, McpServersDeps, McpServersEvent, McpVerdict } from './ports.js';
import { NO_FEATURES } from './server-lists.js';
import { type McpPhase, ServerRecord } from './server-record.js';
import { serverReport } from './server-report.js';
import { type RunEnd, ServerRun } from './server-run.js';
import type { Slots } from './slots.js';
import type { McpTrafficLine } from './traffic-log.js';

/** Milliseconds before each new attempt in a row; after the last one, the user has to start the server, so that a broken one does not restart forever. */
const PAUSES_MS = [1_000, 2_000, 4_000];
/** Milliseconds connected after which the attempts are counted anew. */
const STEADY_MS = 60_000;
/** Milliseconds that a call waits for a server that is starting, instead of failing at once. */
const CALL_WAIT_MS = 30_000;

/** Ports and state that one server uses. */
interface ServerDeps extends McpServersDeps {
  readonly slots: Slots;
  readonly tell: (event: McpServersEvent) => void;
}

/**
 * The life of one server: judged, started, connected, started anew after its death, stopped. There is at most one process of it at any
 * time, and exactly one status. Its methods take effect at once: what they return resolves when the processes they end are gone.
 */
export class McpServer {
  readonly id: string;
  private readonly record: ServerRecord;
  private readonly changed = new Signal<McpServerState>();
  /** Counts what made a judgement outdated. */
  private judgements = 0;
  private judged = false;
  /** Whether its entry was removed: no event of it is emitted any more. */
  private left = false;
  /** The user's choice to turn it on or off. Without one, its entry decides. */
  private switchedOff: boolean | undefined;
  /** Whether it starts as soon as it may. */
  private wanted = false;
  /** Whether the user stopped it, so that only the user starts it. */
  private stopped = false;
  private life: AbortController | undefined;
  private run: ServerRun | undefined;
  private gone: Promise<void> = Promise.resolve();

  constructor(
    { id, entry }: McpServerEntry,
    private readonly deps: ServerDeps,
  ) {
    this.id = id;
    const tell = (state: McpServerState): void => {
      this.changed.emit(state);
      if (this.judged && !this.left) deps.tell({ type: 'state', state });
    };
    this.record = new ServerRecord(id, entry, { ...deps, tell });
  }

  get state(): McpServerState {
    return this.record.state;
  }

  /** Whether it is known what it waits for; before that it is shown nowhere. */
  get isJudged(): boolean {
    return this.judged;
  }

  /** The newest messages, scrubbed. */
  get traffic(): readonly McpTrafficLine[] {
    return this.record.traffic;
  }

  /** State and log of the server as text for a bug report, without secrets. */
  report(): string {
    const { record, deps } = this;
    return serverReport(this.state, this.traffic, record.scrub, deps.clock.timestamp());
  }

  /** Judges anew whether it may run: ends it if not, and starts it if it is wanted and now may. */
  async judge(): Promise<void> {
    this.judgements += 1;
    const number = this.judgements;
    const verdict = await this.verdict();
    if (number !== this.judgements) return;
    this.judged = true;
    if (this.isOff) this.halt({ status: 'disabled' });
    else if (verdict instanceof McpError) this.halt({ status: 'failed', problem: this.record.scrub(verdict.message) });
    else if (!verdict.may) this.hold(verdict.waitsFor);
    else if (this.life === undefined && isHeld(this.state)) {
      this.record.set({ phase: { status: 'pending', waitsFor: 'start' } });
      if (this.wanted) this.begin();
    }
  }

  /** Takes over what its entry is now. What decides how it runs ends it, until that was judged. */
  update(entry: McpEntry): Promise<void> {
    const before = this.state.entry;
    if (isSameServer(entry, before)) {
      this.record.set({ entry });
      return this.judged && isSameButForPlace(entry, before) ? Promise.resolve() : this.judge();
    }
    this.stopped = false;
    this.halt({ status: 'pending', waitsFor: 'changed' }, { entry, agreement: undefined, restarts: 0 });
    return this.judge();
  }

  /** Starts it if nothing but that is missing, and as soon as it may otherwise; not if the user stopped it. */
  want(): void {
    if (this.stopped) return;
    this.wanted = true;
    if (this.judged && this.life === undefined && this.state.waitsFor === 'start') this.begin();
  }

  /** Starts it, for the user. Does nothing while it is connecting or connected, or off. */
  start(): void {
    if (this.life === undefined || this.state.waitsFor === 'restart') this.restart();
  }

  /** Ends it and starts it anew, for the user. Its tools stay listed meanwhile. Waits until it is judged; does nothing while it is off. */
  restart(): void {
    this.stopped = false;
    this.wanted = true;
    if (this.isOff || !this.judged) return;
    this.record.set({ restarts: 0 });
    this.begin();
  }

  /** Ends it, for the user. */
  stop(): Promise<void> {
    this.stopped = true;
    this.wanted = false;
    if (this.life !== undefined) this.halt({ status: 'pending', waitsFor: 'start' });
    return this.gone;
  }

  /** Switches it off or on, for the user. Says nothing to later windows: that is for the one who keeps it. */
  switch(on: boolean): Promise<void> {
    this.switchedOff = !on;
    if (!on) this.halt({ status: 'disabled' });
    return on ? this.judge() : this.gone;
  }

  /** Ends it for good. */
  dispose(): Promise<void> {
    this.left = true;
    this.judgements += 1;
    this.wanted = false;
    this.halt({ status: 'pending', waitsFor: 'start' });
    return this.gone;
  }

  /**
   * Does something with its connection, for which one that is starting is waited for.
   * @throws McpError; AbortError when the signal stopped it
   */
  async use<T>(work: (connection: McpConnection) => Promise<T>, signal: AbortSignal): Promise<T> {
    const run = await this.running(signal);
    try {
      return await run.use(work);
    } catch (error) {
      if (error instanceof McpError && error.kind === 'unauthorized') run.end(error);
      throw error;
    }
  }

  /**
   * Calls a tool.
   * @param tool as it was listed when the call was judged: one that has changed since is not called
   * @throws McpError; AbortError when the signal stopped it
   */
  call(tool: McpToolInfo, args: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<McpCallResult> {
    return this.use((connection) => {
      const { tools, entry } = this.state;
      if (!tools.includes(tool) && !tools.some((listed) => listed.name === tool.name && isDeepStrictEqual(listed, tool)))
        throw new McpError(
          'refused',
          t('“{0}” does not offer the tool “{1}” any more as it was when the call was made.', entry.name, this.record.scrub(tool.name)),
        );
      return connection.callTool(tool, args, entry.timeoutMs === undefined ? options : { hardMs: entry.timeoutMs, ...options });
    }, options.signal);
  }

  /** Whether it may be usable soon without anyone doing anything. */
  private get isComing(): boolean {
    const { status, waitsFor } = this.state;
    return waitsFor === 'connecting' || waitsFor === 'restart' || (status === 'connected' && this.run?.isUp !== true);
  }

  private get isOff(): boolean {
    return this.switchedOff ?? this.state.entry.disabled === true;
  }

  private async verdict(): Promise<McpVerdict | McpError> {
    try {
      return await this.deps.gate(this.state.entry);
    } catch (error) {
      return error instanceof McpError ? error : new McpError('refused', errorMessage(error), { cause: error });
    }
  }

  private hold(waitsFor: McpHold): void {
    this.halt({ status: 'pending', waitsFor });
  }

  /** Ends what runs, with all that is pending, and shows what it is in now. */
  private halt(phase: McpPhase, more: Parameters<ServerRecord['set']>[0] = {}): void {
    this.life?.abort();
    this.life = undefined;
    this.record.set({ ...more, phase, features: NO_FEATURES });
  }

  private begin(): void {
    this.life?.abort();
    const life = new AbortController();
    this.life = life;
    this.record.set({ phase: { status: 'pending', waitsFor: 'connecting' } });
    this.gone = this.live(life, this.gone);
  }

  /** Runs it until it is stopped, or ends too often. @param before resolves when nothing is left of an earlier life */
  private async live({ signal }: AbortController, before: Promise<void>): Promise<void> {
    await before;
    for (let failures = 0; ; failures += 1) {
      const end = await this.attempt(signal);
      if (end === undefined) return;
      if (end.upMs >= STEADY_MS) failures = 0;
      const problem = this.record.scrub(end.error.message);
      const pause = signal.aborted ? undefined : this.ended(end.error, problem, failures);
      await Promise.all([end.gone, pause === undefined ? undefined : this.deps.wait(pause, signal)]);
      if (pause === undefined || isAborted(signal)) return;
      this.record.set({ phase: { status: 'pending', waitsFor: 'connecting', problem }, restarts: this.state.restarts + 1 });
    }
  }

  /** Shows what comes after an end. Returns the milliseconds until the next attempt, if there is one. */
  private ended(error: McpError, problem: string, failures: number): number | undefined {
    const pause = isPassing(error, this.state.entry) ? PAUSES_MS[failures] : undefined;
    if (pause === undefined) this.halt({ status: error.kind === 'unauthorized' ? 'needs-auth' : 'failed', problem });
    else this.record.set({ phase: { status: 'pending', waitsFor: 'restart', problem } });
    return pause;
  }

  /** Starts it once. `undefined` when it was stopped, or may not start. */
  private async attempt(life: AbortSignal): Promise<RunEnd | undefined> {
    const leave = await this.deps.slots.enter(life);
    if (leave === undefined) return undefined;
    try {
      const verdict = await unlessAborted(this.verdict(), life);
      if (verdict === undefined) return undefined;
      if (verdict instanceof McpError) return { error: verdict, upMs: 0, gone: Promise.resolve() };
      if (!verdict.may) {
        this.hold(verdict.waitsFor);
        return undefined;
      }
      this.record.hide(verdict.secrets);
      const run = this.createRun();
      const stop = (): void => run.end(new McpError('closed', t('It was stopped.')));
      life.addEventListener('abort', stop, { once: true });
      this.run = run;
      try {
        return await run.live(verdict.target, leave);
      } finally {
        life.removeEventListener('abort', stop);
        this.run = undefined;
      }
    } finally {
      leave();
    }
  }

  private createRun(): ServerRun {
    const { id, record, deps } = this;
    const { connector, clock, wait, tell } = deps;
    return new ServerRun({
      name: this.state.entry.name,
      connector,
      clock,
      wait,
      record,
      questions: deps.questions(id),
      resourceUpdated: (uri) => tell({ type: 'resource', id, uri }),
      logged: (line) => tell({ type: 'log', id, line }),
    });
  }

  /** Resolves when its lists are known; at once where it does not run. */
  async listed(): Promise<void> {
    await this.run?.listed();
  }

  /** The run that calls can be made with; one that is starting is waited for. */
  private async running(signal: AbortSignal): Promise<ServerRun> {
    if (this.isComing) await this.settled(signal);
    if (signal.aborted) throw new AbortError();
    if (this.run?.isUp === true) return this.run;
    const { entry, problem } = this.state;
    throw new McpError('closed', problem === undefined ? t('“{0}” is not running.', entry.name) : t('“{0}” is not running. {1}', entry.name, problem));
  }

  /** Resolves when it is usable or needs the user, when it took too long, or when the signal aborts. */
  private async settled(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const settled = new Promise<void>((resolve) => {
      const stop = this.changed.subscribe(() => {
        if (!this.isComing) resolve();
      });
      over.signal.addEventListener('abort', stop, { once: true });
    });
    await Promise.race([settled, this.deps.wait(CALL_WAIT_MS, AbortSignal.any([signal, over.signal]))]);
    over.abort();
  }
}

/** Asks anew what the compiler takes for known. */
function isAborted({ aborted }: AbortSignal): boolean {
  return aborted;
}

/** The result of a promise; `undefined` as soon as the signal aborts, since the gate may take any time. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const abort = (): void => resolve(undefined);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then((value) => resolve(signal.aborted ? undefined : value), reject);
    const done = (): void => signal.removeEventListener('abort', abort);
    promise.then(done, done);
  });
}

/** Whether only a judgement keeps it from starting. */
function isHeld({ status, waitsFor }: McpServerState): boolean {
  return status === 'disabled' || (waitsFor !== undefined && waitsFor !== 'connecting' && waitsFor !== 'restart');
}

/** Whether another attempt may help: a program that is not there stays away, while a server on the net comes back. */
function isPassing({ kind, code }: McpError, { config }: McpEntry): boolean {
  if (kind === 'closed') return true;
  const isRemote = config.type === 'http' || config.type === 'sse';
  return isRemote && (kind === 'unreachable' || kind === 'timeout' || (code !== undefined && code >= 500 && code < 600));
}

/** Whether two entries start the same in the same way. */
function isSameServer(one: McpEntry, other: McpEntry): boolean {
  const { scope, format, file, folder } = one.source;
  const source = other.source;
  return (
    one.name === other.name &&
    scope === source.scope &&
    format === source.format &&
    file === source.file &&
    folder === source.folder &&
    isDeepStrictEqual(one.config, other.config)
  );
}

/** Whether two entries of the same server differ in nothing that permission to start could depend on. */
function isSameButForPlace(one: McpEntry, other: McpEntry): boolean {
  return one.timeoutMs === other.timeoutMs && one.alwaysLoad === other.alwaysLoad && one.disabled === other.disabled;
}
