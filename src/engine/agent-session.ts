import type { ChangeRecorder } from '../domain/workspace/changes.js';
import type { Clock } from '../domain/clock.js';
import type { UserContent } from '../domain/model/content.js';
import type { ColdCache, Compaction, ContextUse, FoundInstructions, Instructions } from '../domain/session/context.js';
import type { AskSource } from '../domain/tool/asks.js';
import type { SessionIdentity } from '../domain/session/identity.js';
import type { Environment } from '../domain/session/environment.js';
import type { SkillCatalogSource, SkillTexts } from '../domain/session/skills.js';
import type { Log } from '../domain/log.js';
import type { Message } from '../domain/model/message.js';
import type { ApprovalAnswer, Gate, PermissionMode } from '../domain/tool/permission.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import type { ThinkingEffort } from '../domain/model/effort.js';
import type { ModelInfo, Provider, Request } from '../domain/model/provider.js';
import type { Caps, Purse } from '../domain/model/purse.js';
import type { ModelChoice } from '../domain/model/model-choice.js';
import type { ChosenModels, Router } from '../domain/model/router.js';
import type { HeldBack, OpenSession, PermissionDenial } from '../domain/session/session-store.js';
import type { Tool, ToolResult } from '../domain/tool/tool.js';
import type { FiguresByModel, Usage } from '../domain/model/usage.js';
import type { AskedModel } from './one-shot/ask-once.js';
import type { Answer } from './turn/answer.js';
import type { FindModel } from './turn/spending.js';
import type { ReadTurnSettings } from './turn/turn-settings.js';
import type { SessionHooksOptions } from './hooks/session-hooks.js';
import type { SessionEvent, StartedTurn } from './events.js';
import type { Wait } from './turn/pauses.js';
import type { ProgramCall } from './turn/program-calls.js';
import type { TurnOptions, RunningModel } from './turn/turn-scope.js';
import type { AgentFile } from '../domain/config/agent.js';

/** Options and services of a new or continued session. */
export interface SessionDeps {
  /** From the session store, new or stored. */
  readonly open: OpenSession;
  /** Identity of the session. Default: a session of the user. */
  readonly identity?: SessionIdentity;
  /** In a stable order, so that the provider's prompt cache stays valid. */
  readonly tools: readonly Tool[];
  /** Reads what can be another thing in each turn. Default: nothing is. */
  readonly turnSettings?: ReadTurnSettings;
  readonly gate: Gate;
  /** Hooks of the session. Default: none. */
  readonly hooks?: SessionHooksOptions;
  /** Records what calls change, so that it can be undone. Default: nothing is recorded. */
  readonly changes?: ChangeRecorder;
  readonly clock: Clock;
  readonly log: Log;
  readonly provider: Provider;
  readonly model: ModelInfo;
  /** Who chooses that. Default: the user. */
  readonly choice?: ModelChoice;
  /** The model in plan mode, where nobody has chosen one for the session; `undefined`: the same as otherwise. Default: that. */
  readonly inPlan?: () => RunningModel | undefined;
  /** Chooses models where that is left to Gnomon. Default: nobody does. */
  readonly router?: Router;
  /** Finds models by their keys, to price stored answers whose cost is not stored. Default: knows the one above. */
  readonly findModel?: FindModel;
  readonly mode: PermissionMode;
  /** Changes the mode as an answer to a permission request says. Default: that of this session. */
  readonly setMode?: (mode: PermissionMode) => void;
  /** Whether an answer to a permission request can choose a mode without another word of the user. Default: any that does not bypass permissions. */
  readonly mayUseMode?: (mode: PermissionMode) => boolean;
  /** The agent that works. Default: none. */
  readonly agent?: AgentFile | undefined;
  /** The most requests to the model for one message of the user; at least 1. */
  readonly maxRounds: number;
  /** The most attempts to get an answer after a failure that passes; 0 for none. */
  readonly maxRetries: number;
  /** Limits of the session, read before every request. Default: no limit. */
  readonly caps?: () => Caps;
  /** Shared budget with other sessions, beside these caps. Default: none. */
  readonly purse?: Purse;
  /** Waits between attempts. Default: by the clock on the wall. */
  readonly wait?: Wait;
  /** Thinking effort, for models that support it. */
  readonly effort: ThinkingEffort;
  /** Percentage of the context window that triggers automatic compaction. Default 0: never. */
  readonly autoCompactPercent?: number;
  /** Number of tokens that triggers automatic compaction, however large the window is. Default 0: any. */
  readonly autoCompactTokens?: number;
  /** The project's instructions. Default: none. */
  readonly instructions?: ProjectInstructions;
  /** Environment facts that are sent with each message. Default: none. */
  readonly environment?: Environment;
  /** Skills. Default: none. */
  readonly skills?: SkillDeps;
  /** Whether it replaces a chat that the user cleared, for the input of hooks. */
  readonly clears?: true;
  /** Ends what belongs to the session alone, such as its commands, when it has stopped and is saved. Default: nothing does. */
  readonly released?: () => Promise<void>;
}

/** The skills of a session. */
export interface SkillDeps {
  readonly source: SkillCatalogSource;
  /** Loads those that an agent has from the start. */
  readonly texts: Pick<SkillTexts, 'load'>;
  /** The tool that loads skills. Models get it with the first list of skills, so without skills, it costs nothing. */
  readonly tool: Tool;
}

/** The project's instructions for a session. */
export interface ProjectInstructions {
  /** Instructions for the whole workspace when the session is opened; a new session has them in its system prompt. */
  readonly workspace: FoundInstructions;
  /** Finds what has changed, and those of folders, for calls that touch files there. */
  readonly finder: Instructions;
}

/** Work for a session, from the moment on in which it waits for its turn. */
export interface ExpectedWork {
  /** Ends it because the session is closed. */
  readonly stop: () => void;
  /** Does not reject. */
  readonly ended: Promise<unknown>;
}

/** A conversation with its agent: the boundary between user interface and engine. */
export interface AgentSession {
  readonly id: string;
  readonly identity: SessionIdentity;
  /** Pending approvals, answered by {@link answer}, and questions. */
  readonly asks: AskSource;
  /** `waiting` while a permission prompt is open. */
  readonly state: 'idle' | 'running' | 'waiting';
  /** The same of those that work for it, at every depth: they can work while it is idle. */
  readonly childState: AgentSession['state'];
  /** Whether it is closed, or about to be: what works for it is interrupted then, and not stopped by the user. */
  readonly closed: boolean;
  readonly messages: readonly Message[];
  /** Tokens of the whole session. */
  readonly usage: Usage;
  /** US dollars of the whole session; `undefined` when a model's price is not known. */
  readonly costUsd: number | undefined;
  /** Usage of each model so far. */
  readonly byModel: FiguresByModel;
  /** What its requests are paid from. Sessions that work for it draw on it. */
  readonly purse: Purse;
  /** The mode that the user chose; an agent may work in a stricter one. */
  readonly mode: PermissionMode;
  /** The agent that the user chose; `undefined`: none. A turn can have another one. */
  readonly agent: AgentFile | undefined;
  /** The agent that works now: that of the turn that runs, or of the next one. */
  readonly activeAgent: AgentFile | undefined;
  /** The mode in which calls are judged now: the stricter one of the user's and that of the agent that works. */
  readonly effectiveMode: PermissionMode;
  /** Rules that the skills and the command of the running turn request; empty while no turn runs. */
  readonly grants: readonly TurnGrant[];
  /** That of the turn that runs, or of the next one. */
  readonly model: ModelInfo;
  /** Who chooses it, how turns came to theirs, and the user’s word for what they were about. */
  readonly auto: ChosenModels;
  readonly effort: ThinkingEffort;
  /** Usage of the model's context window; `undefined` before it is known. */
  readonly context: ContextUse | undefined;
  /** Extra cost of the next message because the provider's cache has expired; `undefined` if not, or if unknown. */
  readonly coldCache: ColdCache | undefined;
  /** The project's instructions and the user's own, as they were when the last message went out. */
  readonly instructions: FoundInstructions;
  /** Messages that are no longer sent because a provider refused them. */
  readonly heldBack: readonly HeldBack[];
  /** Summaries that replace the beginning on the wire, oldest first. */
  readonly compactions: readonly Compaction[];
  /**
   * Adds a user message and starts a turn.
   * @param options what the turn has beside the settings of the session
   * @throws Error while a turn runs or after {@link close}; InvalidDataError for content that is not a message.
   */
  send(content: readonly UserContent[], options?: TurnOptions): StartedTurn;
  /**
   * Makes a call that no model asked for: a program's. Hooks, rules, the mode, and prompts decide about it as about one of a model; what can change something
   * is recorded as a turn of its own. Several may be made at the same time. Does not reject: what goes wrong is in the result.
   * @throws Error while a turn runs or after {@link close}.
   */
  call(call: ProgramCall): Promise<ToolResult>;
  /**
   * Lets a message go with the next round of the turn that runs, behind the results of all open calls. `message_added` says
   * that it was recorded; a turn that ends before leaves it unsaid. One of a session that works for another one ends before only where it fails or is stopped.
   * @param id chosen by the caller, for {@link unsteer} and the event.
   * @returns false when no turn runs, or it is about to end.
   * @throws InvalidDataError for content that is not a message.
   */
  steer(id: string, content: readonly UserContent[]): boolean;
  /** Takes such a message back. Returns false when it is not waiting any more. */
  unsteer(id: string): boolean;
  /**
   * Asks the model again for an answer that broke off or never came, without another message.
   * @throws Error while a turn runs, after {@link close}, or when the last answer is whole.
   */
  retry(): StartedTurn;
  /**
   * Answers a permission prompt, for a user or for a program. Returns false when nothing waits under that id. An answer that cannot be
   * followed, such as one with invalid arguments or with a rule that cannot be read, opens another prompt that says why.
   * @param revision the prompt of the call that it answers; when another one is open by now, it is not taken. Left out: any.
   * @param session id of the session that asks, which may be one that works for this one. Left out: this one.
   */
  answer(callId: string, answer: ApprovalAnswer, revision?: number, session?: string): boolean;
  /**
   * Takes up a session that works for a call of this one: what it asks for waits here, too, what it spends counts here, and what happens in it
   * is told as an event `child`. Returns how to end that, once the other one has stopped.
   */
  adopt(child: AgentSession): () => void;
  /** What those that work for this session were denied since its last turn ended, or since the last call of this function. */
  takeDenials(): readonly PermissionDenial[];
  /** Takes up work for this session that waits to be begun: until it has ended, the session is not left alone, and closing it stops that. */
  expect(work: ExpectedWork): void;
  /** Stops the turn that runs, if any. What arrived is kept. */
  cancel(): void;
  /** Ends a wait before another attempt. Returns false when nothing waits. */
  retryNow(): boolean;
  /** Uses another model from the next round on. @param choice who has chosen it, and chooses the next one. Default: the user */
  setModel(provider: Provider, model: ModelInfo, choice?: ModelChoice): void;
  /**
   * Summarizes the conversation so far, so that the next request is shorter. {@link cancel} stops it.
   * Resolves when it has ended, as the event `compaction_ended` says; never rejects.
   * @param instructions what the summary should keep, as the user wrote it.
   * @throws Error while a turn runs or after {@link close}, NothingToCompactError when there is too little to summarize.
   */
  compact(instructions?: string): Promise<void>;
  /** Removes the last summary: the model gets the messages again. Returns false when there is none or a turn runs. */
  undoCompaction(): boolean;
  /**
   * Sends a message again that was refused, with what followed it, from the next request on. Returns false when it is not held
   * back, or a turn runs.
   * @param index of the message in the conversation
   */
  putBack(index: number): boolean;
  /**
   * Sends a request in the name of the session beside its turns, such as one for a title: it is paid for and counted as theirs are.
   * Never rejects; the error in the answer is a LimitReachedError where nothing was sent because of a limit.
   */
  ask(request: Request, asked: Omit<AskedModel, 'clock' | 'log'>): Promise<Answer>;
  /** Lets models think more or less from the next round on. */
  setEffort(effort: ThinkingEffort): void;
  /** Changes what may be done without asking, from the next judgment on. */
  setMode(mode: PermissionMode): void;
  /** Has an agent work from the next turn on: it changes the prompt, and limits tools, mode, and rounds. `undefined`: none. */
  setAgent(agent: AgentFile | undefined): void;
  /** Listens to everything that happens. Returns the function that ends it. A listener that throws is logged. */
  onEvent(listener: (event: SessionEvent) => void): () => void;
  /**
   * Stops, waits, saves and releases the session. May be called more than once.
   * @param reason for the input of hooks: whether the user cleared it
   * @throws what the recorder throws when it cannot save.
   */
  close(reason?: 'clear' | 'other'): Promise<void>;
}
