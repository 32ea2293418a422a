import type { AgentFile } from '../../domain/config/agent.js';
import type { ThinkingEffort } from '../../domain/model/effort.js';
import type { FiguresByModel } from '../../domain/model/usage.js';
import type { ModelInfo, Provider } from '../../domain/model/provider.js';
import type { ProposedModel } from '../../domain/model/router.js';
import type { ScriptedText } from '../../domain/session/scripted-text.js';
import type { JsonSchema } from '../../domain/tool/tool.js';
import type { TurnGrant } from '../../domain/tool/turn-grant.js';
import type { StoredRouting } from '../../domain/session/session-store.js';
import type { EmittedEvent } from '../events.js';

/** A model, and who runs it. */
export interface RunningModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
}

/** Length limit and handling that the caller of a turn sets for each of its answers. */
export interface AnswerLimit {
  /** Tokens at most, where the model may not give fewer anyway; 0 or absent: as many as it may. */
  readonly maxTokens?: number;
  /** Whether the model is asked to go on where an answer was cut off, up to three times in a row. Default: yes, unless `maxTokens` is set. */
  readonly goesOn?: boolean;
  /** The form of what the model says at last, as `Request.output` has it. Whoever wants it checks what came. Default: any text. */
  readonly output?: JsonSchema;
}

/** A model with that limit. */
export function limited(model: ModelInfo, { maxTokens = 0 }: AnswerLimit): ModelInfo {
  if (maxTokens === 0) return model;
  const own = model.maxTokens ?? 0;
  return { ...model, maxTokens: own > 0 ? Math.min(own, maxTokens) : maxTokens };
}

/** Whether a response that was cut off is continued. Not by default with a limit, which would otherwise apply to a part only. */
export function goesOn({ maxTokens = 0, goesOn: wanted = maxTokens === 0 }: AnswerLimit): boolean {
  return wanted;
}

/** Options of a turn that come with its message. When the turn has ended, the session is as it was, until the same turn is tried again. */
export interface TurnOptions {
  /** The words of the message, with commands that are run before: as calls of the model are, with hooks, rules, mode and prompts. */
  readonly script?: ScriptedText;
  /** Rules that the command or skill in the message requests. */
  readonly grants?: readonly TurnGrant[];
  /** Works in the turn, within the limits of the agent of the session if there is one. */
  readonly agent?: AgentFile | undefined;
  /** The model of the turn, as long as the user does not choose another one. */
  readonly model?: RunningModel | undefined;
  /** Whether it is chosen for the turn, as long as the user does not choose one. */
  readonly choosesModel?: boolean | undefined;
  /** What was chosen for its message before that was sent, and still holds. */
  readonly proposed?: ProposedModel | undefined;
  readonly effort?: ThinkingEffort | undefined;
  /** The limit of each answer. Default: that of the model, and the model is asked to go on. */
  readonly answers?: AnswerLimit | undefined;
}

/** Has a turn use the model of the session. */
export const NO_MODEL = { model: undefined, choosesModel: undefined, proposed: undefined } as const satisfies TurnOptions;

/** How a turn came to its model, before its message has a place. */
export interface TurnRouting {
  readonly routing: StoredRouting | undefined;
  /** Why there is no model for it; absent where there is. */
  readonly problem?: Error;
}

/** Whether a turn has something else than the session. */
export function hasOwnSettings({ agent, model, choosesModel, effort }: TurnOptions): boolean {
  return [agent, model, choosesModel, effort].some((each) => each !== undefined);
}

/** State of one turn: created for it, and gone with it. */
export interface TurnScope {
  /** Gets every event of the turn but its end; must not throw. */
  readonly emit: (event: EmittedEvent) => void;
  readonly signal: AbortSignal;
  /** Rules that its message and the skills loaded in it request; the gate decides whether they apply. */
  readonly grants: TurnGrant[];
  readonly answers: AnswerLimit;
  /** How the turn came to its model, where that was chosen for it. */
  routing?: TurnRouting | undefined;
  /** Takes what sessions that work for the session of the turn have used. Set while the turn runs. */
  usedByChild?: (figures: FiguresByModel) => void;
}
