import type { AgentFile } from '../domain/config/agent.js';
import { closestEffort, type ThinkingEffort } from '../domain/model/effort.js';
import { modelKey } from '../domain/model/model-key.js';
import type { ModelChoice } from '../domain/model/model-choice.js';
import { present } from '../domain/present.js';
import { narrowMode } from '../domain/tool/narrow-mode.js';
import type { PermissionMode } from '../domain/tool/permission.js';
import type { EmittedEvent } from './events.js';
import { agentWithin } from './agents/narrow.js';
import type { RunningModel, TurnOptions } from './turn/turn-scope.js';

/** What a session begins with. */
export interface FirstChoices extends RunningModel {
  /** Default: the user has chosen the model. */
  readonly choice?: ModelChoice;
  readonly mode: PermissionMode;
  readonly agent?: AgentFile | undefined;
  readonly effort: ThinkingEffort;
  /** The model in plan mode, where nobody has chosen one; `undefined`: the same as otherwise. */
  readonly inPlan?: () => RunningModel | undefined;
}

/** The user's choices for a session, such as mode and model, and the effective ones while a turn overrides them. */
export class Choices {
  /** Options of the running turn; `undefined` while none runs. */
  ofTurn: TurnOptions | undefined;

  /** The model of the next turn, unless that has another one. */
  model: RunningModel;
  /** Who chooses it. */
  choice: ModelChoice;
  /** The mode that the user chose. */
  mode: PermissionMode;
  /** The agent that the user chose; `undefined`: none. */
  agent: AgentFile | undefined;
  /** The effort that the user chose. */
  effort: ThinkingEffort;

  private readonly inPlan: () => RunningModel | undefined;

  /** @param first those that the session begins with */
  constructor({ provider, model, choice, mode, agent, effort, inPlan = () => undefined }: FirstChoices) {
    this.model = { provider, model };
    this.choice = choice ?? { type: 'pinned', key: modelKey(model) };
    this.mode = mode;
    this.agent = agent;
    this.effort = effort;
    this.inPlan = inPlan;
  }

  /** Has the session use another model. */
  use(model: RunningModel, choice: ModelChoice): void {
    this.model = model;
    this.choice = choice;
  }

  /** The model of the next round. */
  get activeModel(): RunningModel {
    const ofMode = this.choice.type === 'default' && this.effectiveMode === 'plan' ? this.inPlan() : undefined;
    return this.ofTurn?.model ?? ofMode ?? this.model;
  }

  /** The agent that works now: that of the turn never has more rights than the user's. */
  get activeAgent(): AgentFile | undefined {
    const agent = this.ofTurn?.agent;
    return agent === undefined ? this.agent : agentWithin(agent, this.agent);
  }

  /** The mode in which calls are judged now. */
  get effectiveMode(): PermissionMode {
    return narrowMode(this.mode, this.activeAgent?.permissionMode);
  }

  get activeEffort(): ThinkingEffort {
    return this.ofTurn?.effort ?? this.effort;
  }

  /** Tells what is in effect now. */
  get event(): Extract<EmittedEvent, { readonly type: 'settings_changed' }> {
    const { choice, mode, effectiveMode, activeAgent, activeEffort } = this;
    const { model } = this.activeModel;
    const effort = closestEffort(model.efforts, activeEffort);
    return {
      type: 'settings_changed',
      model: modelKey(model),
      modelChoice: choice.type,
      mode,
      effectiveMode,
      effort,
      ...present({ agent: activeAgent?.name }),
    };
  }
}
