import type { HookContext, HookEvent } from '../../domain/hook/event.js';
import type { Hooks } from '../../domain/hook/hooks.js';
import { type HookOutcome, noHooks } from '../../domain/hook/outcome.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import type { SessionEvent } from '../events.js';

/** The hooks of a session, and the facts about it that every hook gets. */
export interface SessionHooksOptions {
  readonly hooks: Hooks;
  /** Absolute path of the session's file. */
  readonly transcriptPath: string;
  /** Absolute path of the folder that hooks run in, now. */
  readonly cwd: () => string;
}

/** Dependencies of {@link SessionHooks}. */
interface SessionHooksDeps {
  /** Absent: there are no hooks. */
  readonly options: SessionHooksOptions | undefined;
  readonly sessionId: string;
  readonly mode: () => PermissionMode;
  readonly emit: (event: SessionEvent) => void;
}

/** Runs the hooks of one session, and reports each that ran. */
export class SessionHooks {
  private readonly deps: SessionHooksDeps;

  constructor(deps: SessionHooksDeps) {
    this.deps = deps;
  }

  /**
   * Runs the hooks of an event. Never rejects.
   * @param callId the tool call that it is about
   */
  async run(event: HookEvent, signal: AbortSignal, callId?: string): Promise<HookOutcome> {
    const { options, emit } = this.deps;
    if (options === undefined) return noHooks(event.hook_event_name);
    const outcome = await options.hooks.run(event, this.context(options), signal);
    if (outcome.runs.length > 0) emit({ type: 'hooks_ran', outcome, ...(callId === undefined ? {} : { callId }) });
    return outcome;
  }

  private context({ transcriptPath, cwd }: SessionHooksOptions): HookContext {
    return { session_id: this.deps.sessionId, transcript_path: transcriptPath, cwd: cwd(), permission_mode: this.deps.mode() };
  }
}
