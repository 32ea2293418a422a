import type { AgentFile } from '../../domain/config/agent.js';
import type { ThinkingEffort } from '../../domain/model/effort.js';
import type { ModelInfo, Provider } from '../../domain/model/provider.js';
import type { ScriptedText } from '../../domain/session/scripted-text.js';
import type { TurnGrant } from '../../domain/tool/turn-grant.js';
import type { SessionEvent } from '../events.js';

/** A model, and who runs it. */
export interface RunningModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
}

/** What a message brings for its turn, beside its content. When the turn has ended, the session is as it was, until the same turn is tried again. */
export interface TurnOptions {
  /** The words of the message, with commands that are run before: as calls of the model are, with hooks, rules, mode and prompts. */
  readonly script?: ScriptedText;
  /** What the command or skill in the message names to run without a question. */
  readonly grants?: readonly TurnGrant[];
  /** Works in the turn, within the limits of the agent of the session if there is one. */
  readonly agent?: AgentFile | undefined;
  /** The model of the turn, as long as the user does not choose another one. */
  readonly model?: RunningModel | undefined;
  readonly effort?: ThinkingEffort | undefined;
}

/** What belongs to one turn: it is made for it, and nothing of it can last longer. */
export interface TurnScope {
  /** Gets every event of the turn but its end; must not throw. */
  readonly emit: (event: SessionEvent) => void;
  readonly signal: AbortSignal;
  /** What its message and the skills that are loaded in it name to run without a question; the gate knows whether that counts. */
  readonly grants: TurnGrant[];
}
