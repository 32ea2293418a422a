import type { CacheBreak, Compaction } from './context.js';
import type { HookEventName } from '../hook/event.js';
import type { HookDecision } from '../hook/outcome.js';
import type { AssistantMessage, Message, Timestamp } from '../model/message.js';
import type { Routing } from '../model/routing.js';
import type { TaskKind } from '../model/task-kind.js';
import type { FiguresByModel } from '../model/usage.js';
import type { StoredElf, StoredElfLimits, ElfTreeState } from './elf.js';
import type { Session } from './session.js';

/** Metadata of a session that the v1 envelope cannot contain; stored beside it, and optional. */
export interface SessionMeta {
  readonly title?: string;
  /** Author of the title; absent when it was taken from the first message. */
  readonly titleBy?: 'person' | 'model';
  readonly pinned?: boolean;
  /** Where the session left another one. */
  readonly parent?: SessionParent;
  /** `provider/model` last used. */
  readonly model?: string;
  /** Who chooses that, as `choiceText` writes it; absent: not known. */
  readonly modelChoice?: string;
  /** How the latest turns came to their models where these were chosen automatically, by index of the user’s message. */
  readonly routings?: Readonly<Record<string, StoredRouting>>;
  /** Last permission mode. */
  readonly mode?: string;
  /** Name of the agent that worked last. */
  readonly agent?: string;
  /** What it does for another session, where it works for one. */
  readonly elf?: StoredElf;
  /** What the user has answered about the limits of the agents that work for it. */
  readonly elfLimits?: StoredElfLimits;
  /** Of how many runs of each agent who has started it knows the end, by the name of the agent. */
  readonly elvesTold?: Readonly<Record<string, number>>;
  /** How the worktree of each agent stood that has one, by the name of the agent. */
  readonly elfTrees?: Readonly<Record<string, ElfTreeState>>;
  /** `provider/model` by index of the assistant message. */
  readonly models?: Readonly<Record<string, string>>;
  /** Cost of each turn, by index of its last assistant message. */
  readonly turns?: Readonly<Record<string, TurnCost>>;
  /** Cost in US dollars of the whole session. */
  readonly costUsd?: number;
  /** Usage of the whole session by model, with the key `provider/model`: of requests since versions that store it. */
  readonly byModel?: FiguresByModel;
  /** Index of the message that an interruption cut off; cleared when a new turn starts. */
  readonly interruptedAt?: number;
  /** Summaries that replace the beginning on the wire, oldest first; only the last one counts. */
  readonly compactions?: readonly Compaction[];
  /** Messages that are no longer sent because a provider refused them, in order. */
  readonly heldBack?: readonly HeldBack[];
  /** Calls that were denied. */
  readonly denials?: readonly PermissionDenial[];
  /** Hooks that ran for tool calls, oldest first; only the latest of a long session. */
  readonly hookRuns?: readonly HookRecord[];
  /**
   * Outcomes of tool calls, by index of the message with the result. Kept by the store: v1 has no place for it. A message of a
   * session has it as `ToolResultMessage.outcome`; this is its stored form, which can be of a kind that only later versions know.
   */
  readonly outcomes?: Readonly<Record<string, { readonly call: string }>>;
  /**
   * Positions of blocks with redacted thinking, by index of their message. Kept by the store: v1 drops the mark.
   * A message with thinking that could be redacted has an entry, an empty one when it is not.
   */
  readonly redacted?: Readonly<Record<string, readonly number[]>>;
}

/** How a turn came to its model: of a stored one, only this is sure. */
export interface StoredRouting extends Pick<Routing, 'type' | 'kind'> {
  /** The kind that the user says the task is of; absent where they say nothing. */
  readonly corrected?: TaskKind;
}

/** Messages of a turn that was refused: its user's message, and all that followed it. */
export interface HeldBack {
  /** Index of the first. */
  readonly from: number;
  /** Index behind the last. */
  readonly to: number;
}

/** Cost of one turn. */
export interface TurnCost {
  readonly durationMs: number;
  /** US dollars; absent when a model's price was not known. */
  readonly costUsd?: number;
  /** Cached tokens that it had to read again at the full price; absent for few. */
  readonly cacheBreak?: CacheBreak;
}

/** The session that another one was branched off. */
export interface SessionParent {
  readonly id: string;
  /** Number of its messages that the branch begins with. */
  readonly count: number;
}

/** A call that was denied. */
export interface PermissionDenial {
  readonly toolName: string;
  readonly toolCallId: string;
  /** The user's feedback, else the reason that the model got. */
  readonly reason: string;
  /** The arguments of the call. Not stored: they are in its message. */
  readonly toolInput?: unknown;
  /** Name of the agent that made it, where that works for the session; not stored. */
  readonly agent?: string;
}

/** A hook that ran for a tool call, as it is shown with the call. */
export interface HookRecord {
  readonly toolCallId: string;
  readonly event: HookEventName;
  /** Display name of the hook. */
  readonly by: string;
  readonly decision: HookDecision;
  readonly durationMs: number;
  /** Whether it did not answer. */
  readonly failed?: true;
  /** Whether it changed the input of the call. */
  readonly rewrote?: true;
  readonly reason?: string;
}

/** A line of the history. An unreadable session is listed with its `problem`, never hidden. */
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: Timestamp;
  readonly messageCount: number;
  readonly createdAt?: Timestamp;
  /** `provider/model` last used. */
  readonly model?: string;
  readonly costUsd?: number;
  readonly pinned?: boolean;
  readonly parent?: SessionParent;
  /** What it does for another session, where it works for one, and what it used. */
  readonly elf?: StoredElf;
  readonly byModel?: FiguresByModel;
  /** Whether another window has it open. */
  readonly elsewhere?: boolean;
  readonly problem?: string;
}

/** A session as it was stored, with what was found on opening it. */
export interface StoredSession {
  readonly session: Session;
  readonly meta: SessionMeta;
  /** Sentences for the user about what could not be read; empty when all is well. */
  readonly warnings: readonly string[];
}

/** Writes one open session. Calls are serialized in call order; each resolves when the data is safe on disk. */
export interface SessionRecorder {
  /** Adds a whole message. It replaces a partial answer recorded before it. */
  append(message: Message): Promise<void>;
  /** Records the answer being streamed. Later calls replace it; the caller limits how often. */
  partial(message: AssistantMessage): Promise<void>;
  /** Replaces the fields given, keeps the others; a field given as `undefined` is removed. */
  updateMeta(patch: { readonly [K in keyof SessionMeta]?: SessionMeta[K] | undefined }): Promise<void>;
  /** Folds the journal into the v1 file. */
  fold(): Promise<void>;
  /** Folds and releases the session. */
  close(): Promise<void>;
}

/** A session that is open for writing. */
export interface OpenSession extends StoredSession {
  readonly recorder: SessionRecorder;
}

/** Options for opening a session. */
export interface OpenOptions {
  /** Asks another window that has the session open to release it. */
  readonly takeOver?: boolean;
}

/** Holder of an open session, which can be asked to release it. */
export interface SessionHolder {
  /** Whether it can be given to another window now: no turn runs. */
  isIdle(): boolean;
  /** Called once when another window has it. What was recorded is saved; nothing more is taken. */
  onTakenOver(): void;
}

/** Where conversations are kept. */
export interface SessionStore {
  /**
   * Starts a session. Nothing is on disk before its first message.
   * @param id that it is to have. Default: one that the store makes.
   * @throws InvalidDataError for an id that cannot name a session, or that another one has; ids that differ only in case are the same.
   */
  create(systemPrompt: string, id?: string): Promise<OpenSession>;
  /**
   * Opens a session and folds a journal that an interruption left.
   * An answer that was cut off comes back as a message with stop reason `aborted` and raw reason `interrupted`.
   * @throws InvalidDataError naming file and place when it cannot be read; the file stays as it is.
   * @throws SessionBusyError when another window has it open and keeps it.
   */
  open(id: string, options?: OpenOptions): Promise<OpenSession>;
  /** Names who works with a session that is open here; without that it is never given to another window that asks for it. */
  share(id: string, holder: SessionHolder): void;
  /**
   * Starts a session with the first messages of another one, which stays as it is and may be open here or elsewhere.
   * On disk at once, unless it begins with no message.
   * @param count how many messages it begins with; a call without its result at the end is left out.
   * @param wanted the id that it is to have. Default: one that the store makes.
   * @throws InvalidDataError when the other one cannot be read, and as {@link create} does.
   */
  branch(id: string, count: number, wanted?: string): Promise<OpenSession>;
  /** Newest first. */
  list(): Promise<readonly SessionSummary[]>;
  /** Removes every file of a session. */
  delete(id: string): Promise<void>;
}
