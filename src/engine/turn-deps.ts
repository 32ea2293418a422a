import type { AgentFile } from '../domain/config/agent.js';
import type { ThinkingEffort } from '../domain/model/effort.js';
import { choiceText } from '../domain/model/model-choice.js';
import { modelKey } from '../domain/model/model-key.js';
import type { ModelInfo } from '../domain/model/provider.js';
import type { PermissionMode } from '../domain/tool/permission.js';
import type { SessionDeps } from './agent-session.js';
import type { AutoModel } from './auto-model.js';
import type { Choices } from './choices.js';
import type { SessionContext } from './context/session-context.js';
import type { EmittedEvent } from './events.js';
import { type MessageParts, prepareMessage } from './prepare-message.js';
import type { MetaPatch } from './transcript.js';
import { limitsOf } from './turn/caps.js';
import { createPurse } from './turn/purse.js';
import { Spending } from './turn/spending.js';
import type { Steering } from './turn/steering.js';
import type { SteeringMessage, TurnDeps } from './turn/turn.js';
import type { RunningModel } from './turn/turn-scope.js';
import { NOTHING_MORE } from './turn/turn-settings.js';

/** The parts of a session that its turns work with. */
interface SessionParts extends Pick<TurnDeps, 'transcript' | 'approvals' | 'pauses' | 'hooks'> {
  readonly room: SessionContext;
  readonly choices: Choices;
  readonly auto: AutoModel;
  readonly steering: Steering;
  readonly messageParts: MessageParts;
  readonly emit: (event: EmittedEvent) => void;
  /** Changes the mode, as an answer says. */
  readonly setMode: (mode: PermissionMode) => void;
}

/** What all turns of a session share. */
export function turnDepsOf(deps: SessionDeps, { room, choices, auto, steering, messageParts, emit, setMode, ...parts }: SessionParts): TurnDeps {
  const { open, caps = () => ({}), turnSettings = () => Promise.resolve(NOTHING_MORE) } = deps;
  const { id: sessionId, systemPrompt, messages } = open.session;
  const { model: current, findModel = (key: string): ModelInfo | undefined => (key === modelKey(current) ? current : undefined) } = deps;
  const total = Spending.ofStored(messages, open.meta, findModel);
  const purse = createPurse(() => limitsOf(caps()), { parent: deps.purse, spent: total.amount });
  const { mayUseMode = (wanted: PermissionMode): boolean => wanted !== 'bypassPermissions' } = deps;
  const settings = (): Pick<MetaPatch, 'model' | 'modelChoice' | 'mode' | 'agent'> => ({
    model: modelKey(choices.model.model),
    modelChoice: choiceText(choices.choice),
    mode: choices.mode,
    agent: choices.agent?.name,
  });
  const said = (signal: AbortSignal): Promise<readonly SteeringMessage[]> =>
    steering.take(
      (content) => prepareMessage(content, messageParts, signal),
      (id, block) => emit({ type: 'message_blocked', id, block }),
    );
  // The user sees what waits, and it is sent behind the turn; of what an elf was told, nobody keeps a copy.
  const endSaid = (well: boolean): boolean => steering.end(well && deps.identity?.worksFor !== undefined);
  return {
    ...{ ...deps, ...parts, total, purse, sessionId, systemPrompt, caps, settings, said, endSaid, auto },
    window: room.window,
    tools: room.tools,
    turnSettings: room.withSkills(turnSettings),
    mode: (): PermissionMode => choices.effectiveMode,
    modes: { may: mayUseMode, set: setMode },
    agent: (): AgentFile | undefined => choices.activeAgent,
    effort: (): ThinkingEffort => choices.activeEffort,
    model: (): RunningModel => choices.activeModel,
  };
}
