import { RequestError, type RequestPermissionRequest, type RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { errorMessage } from '../../domain/errors.js';
import type { AgentHost } from '../../agent-host/agent-host.js';
import { type AskedPermission, idAmongAll } from '../../domain/tool/asks.js';
import { askedLook } from './call-look.js';
import type { EditorPaths } from './editor-paths.js';
import { permissionAnswer, permissionRequest } from './v1.js';

/** Dependencies of {@link PermissionAsks}. */
export interface PermissionAsksDeps {
  /** The session that the editor knows. */
  readonly sessionId: string;
  readonly host: Pick<AgentHost, 'sessions' | 'permissions'>;
  readonly paths: EditorPaths;
  /** Asks the editor, when it knows of the call. @throws where it cannot answer; the signal takes the question back */
  readonly request: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
}

/** Has the editor ask its user about what waits for permission. Nothing is allowed that was not: no answer is a denial. */
export class PermissionAsks {
  private readonly asked = new Map<string, { readonly revision: number; readonly stop: AbortController }>();
  private readonly stopListening: () => void;

  constructor(private readonly deps: PermissionAsksDeps) {
    this.stopListening = deps.host.sessions.onDidChangeAsks(() => this.changed());
  }

  /** Takes back what is asked. */
  close(): void {
    this.stopListening();
    for (const { stop } of this.asked.values()) stop.abort();
    this.asked.clear();
  }

  /** Asks about what waits and was not asked about yet, and takes back what waits no more. */
  private changed(): void {
    const waiting = new Map(this.deps.host.sessions.asks.filter((ask) => ask.kind === 'permission').map((ask) => [idAmongAll(ask), ask]));
    for (const [id, { revision, stop }] of this.asked) {
      if (waiting.get(id)?.revision === revision) continue;
      this.asked.delete(id);
      stop.abort();
    }
    for (const [id, ask] of waiting) if (!this.asked.has(id)) void this.ask(ask);
  }

  private async ask(ask: AskedPermission): Promise<void> {
    const { sessionId, host, paths, request } = this.deps;
    const { callId, revision, who, judgment } = ask;
    const stop = new AbortController();
    this.asked.set(idAmongAll(ask), { revision, stop });
    const session = host.sessions.find(who.session);
    try {
      const response = await request(permissionRequest(sessionId, askedLook(ask, paths.short), judgment, paths), stop.signal);
      if (stop.signal.aborted) return;
      const { answer, denied } = permissionAnswer(response, judgment);
      if (denied.length > 0) host.permissions.sessionRules.update(who.session, { type: 'addRules', effect: 'deny', rules: denied });
      session?.answer(callId, answer, revision);
    } catch (error) {
      // It was taken back: the turn was stopped, or something else answered.
      if (stop.signal.aborted) return;
      session?.answer(callId, { type: 'deny', feedback: `Nobody could be asked: ${errorMessage(error)}` }, revision);
      // Who is gone, or cannot be understood, would be asked again and again.
      if (!(error instanceof RequestError)) session?.cancel();
    }
  }
}
