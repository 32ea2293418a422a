import type { McpEntry } from '../../domain/mcp/config.js';
import type { McpAgreement, McpTraffic } from '../../domain/mcp/connection.js';
import type { McpServerState, McpStatus, McpWait } from '../../domain/mcp/server.js';
import { type McpScrubber, scrubber } from './clean-line.js';
import type { McpServersDeps } from './ports.js';
import { type McpFeatures, NO_FEATURES } from './server-lists.js';
import { type McpTrafficLine, TrafficLog } from './traffic-log.js';

/** Milliseconds between two changes of what is shown of a standard error output. */
const STDERR_MS = 150;

/** Phase of a server's life. */
export type McpPhase =
  | { readonly status: Exclude<McpStatus, 'pending' | 'failed' | 'needs-auth'> }
  | { readonly status: 'failed' | 'needs-auth'; readonly problem: string }
  | { readonly status: 'pending'; readonly waitsFor: McpWait; readonly problem?: string };

/** Fields of the displayed state that can change. */
interface Shown {
  readonly entry: McpEntry;
  readonly phase: McpPhase;
  readonly features: McpFeatures;
  readonly agreement: McpAgreement | undefined;
  readonly restarts: number;
}

interface Deps extends Pick<McpServersDeps, 'clock' | 'wait' | 'secrets'> {
  /** Takes each new state. */
  readonly tell: (state: McpServerState) => void;
}

/** Lines that are kept. */
const MAX_STDERR_LINES = 100;

/** Keeps the newest lines of a standard error output. Adding one is cheap; they are scrubbed when they are looked at. */
class StderrRing {
  private raw: string[] = [];

  /** Adds a line. */
  add(line: string): void {
    this.raw.push(line);
    if (this.raw.length >= MAX_STDERR_LINES * 2) this.raw = this.raw.slice(-MAX_STDERR_LINES);
  }

  /** The newest lines, oldest first. */
  lines(scrub: McpScrubber, count = MAX_STDERR_LINES): readonly string[] {
    return this.raw.slice(-count).map(scrub);
  }
}

/** Record of a server: the state that others see, its error output, and its messages. Everything in it is scrubbed before it is shown. */
export class ServerRecord {
  private readonly stderr = new StderrRing();
  private readonly messages: TrafficLog;
  /** None is forgotten: older lines may contain it. */
  private readonly secrets = new Set<string>();
  private shown: Shown;
  private current: McpServerState;
  /** The error output as it is shown; `undefined` when it has to be scrubbed anew. */
  private shownStderr: readonly string[] | undefined;
  private stderrDue = false;

  constructor(
    private readonly id: string,
    entry: McpEntry,
    private readonly deps: Deps,
  ) {
    this.messages = new TrafficLog(deps.clock);
    this.shown = { entry, phase: { status: 'pending', waitsFor: 'start' }, features: NO_FEATURES, agreement: undefined, restarts: 0 };
    this.current = this.build();
  }

  /** The newest state. */
  get state(): McpServerState {
    return this.current;
  }

  /** The lists as they are now. */
  get features(): McpFeatures {
    return this.shown.features;
  }

  /** Takes secrets and control characters out of a line of this server. */
  get scrub(): McpScrubber {
    return scrubber([...this.secrets, ...this.deps.secrets()]);
  }

  /** The newest messages. */
  get traffic(): readonly McpTrafficLine[] {
    return this.messages.lines(this.scrub);
  }

  /** Makes a new state and tells it. */
  set(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change };
    this.current = this.build();
    this.deps.tell(this.current);
  }

  /** Adds values that must not be shown. */
  hide(secrets: readonly string[]): void {
    for (const secret of secrets) this.secrets.add(secret);
    this.shownStderr = undefined;
  }

  /** Adds a message that passes now. */
  addMessage(message: McpTraffic): void {
    this.messages.add(message);
  }

  /** Adds a line of error output; lines that come at about the same time are reported together. */
  addLine(line: string): void {
    this.stderr.add(line);
    this.shownStderr = undefined;
    if (this.stderrDue) return;
    this.stderrDue = true;
    void this.deps.wait(STDERR_MS, new AbortController().signal).then(() => {
      this.stderrDue = false;
      this.set({});
    });
  }

  /** The last lines of error output, scrubbed. */
  lastLines(count: number): readonly string[] {
    return this.stderr.lines(this.scrub, count);
  }

  private build(): McpServerState {
    const { entry, phase, features, agreement, restarts } = this.shown;
    this.shownStderr ??= this.stderr.lines(this.scrub);
    return { id: this.id, entry, ...phase, ...(agreement !== undefined && { agreement }), ...features, stderr: this.shownStderr, restarts };
  }
}
