import type { ChangeRecorder } from '../../domain/workspace/changes.js';
import type { Clock } from '../../domain/clock.js';
import type { Log } from '../../domain/log.js';
import type { Gate, PermissionMode } from '../../domain/tool/permission.js';
import type { ModelInfo, Provider, ThinkingEffort } from '../../domain/model/provider.js';
import type { Tool } from '../../domain/tool/tool.js';
import type { Approvals } from '../tool-call/approvals.js';
import type { Caps } from './caps.js';
import type { ContextWindow } from '../context/context-window.js';
import type { Pauses } from './pauses.js';
import type { Spending } from './spending.js';
import type { Transcript } from '../transcript.js';

/** What turns of one engine work with. */
export interface TurnDependencies {
  readonly sessionId: string;
  readonly systemPrompt: string;
  readonly transcript: Transcript;
  /** Keeps requests within the model's context window. */
  readonly window: ContextWindow;
  readonly tools: readonly Tool[];
  readonly gate: Gate;
  readonly changes?: ChangeRecorder;
  readonly approvals: Approvals;
  readonly clock: Clock;
  readonly log: Log;
  /** The most rounds of one turn. */
  readonly maxRounds: number;
  /** The most attempts to get an answer, after the first. */
  readonly maxRetries: number;
  /** The waits between attempts. */
  readonly pauses: Pauses;
  /** What the session may use at most, now. */
  readonly caps: () => Caps;
  /** How much models that can think should, now. */
  readonly effort: () => ThinkingEffort;
  /** The permission mode now. */
  readonly mode: () => PermissionMode;
  /** The model for the next round. */
  readonly model: () => { readonly provider: Provider; readonly model: ModelInfo };
  /** What the whole session used. */
  readonly total: Spending;
}
