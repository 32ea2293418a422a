import type { AgentFile } from '../domain/config/agent.js';
import { closestEffort, type ThinkingEffort } from '../domain/model/effort.js';
import { modelKey } from '../domain/model/model-key.js';
import { present } from '../domain/present.js';
import { narrowMode } from '../domain/tool/narrow-mode.js';
import type { PermissionMode } from '../domain/tool/permission.js';
import type { EmittedEvent } from './events.js';
import { agentWithin } from './agents/narrow.js';
import type { RunningModel, TurnOptions } from './turn/turn-scope.js';

/** The user's choices for a session, such as mode and model, and the effective ones while a turn overrides them. */
export class Choices {
  /** Options of the running turn; `undefined` while none runs. */
  ofTurn: TurnOptions | undefined;

  /**
   * @param model that the user chose
   * @param mode that the user chose
   * @param agent that the user chose; `undefined`: none
   * @param effort that the user chose
   */
  constructor(
    public model: RunningModel,
    public mode: PermissionMode,
    public agent: AgentFile | undefined,
    public effort: ThinkingEffort,
  ) {}

  /** The model of the next round. */
  get activeModel(): RunningModel {
    return this.ofTurn?.model ?? this.model;
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
    const { mode, effectiveMode, activeAgent, activeEffort } = this;
    const { model } = this.activeModel;
    const effort = closestEffort(model.efforts, activeEffort);
    return { type: 'settings_changed', model: modelKey(model), mode, effectiveMode, effort, ...present({ agent: activeAgent?.name }) };
  }
}
