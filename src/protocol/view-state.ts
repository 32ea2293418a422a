import type { ElfLimit } from '../domain/session/elf.js';
import type { CacheBreak, CompactionTrigger, ContextUse } from '../domain/session/context.js';
import type { Timestamp } from '../domain/model/message.js';
import type { ThinkingEffort } from '../domain/model/effort.js';
import type { ModelChoice } from '../domain/model/model-choice.js';
import type { TaskKind } from '../domain/model/task-kind.js';
import type { Question, TodoItem } from '../domain/tool/interaction.js';
import type { CommandRisk } from '../domain/tool/permission.js';
import type { DiffPreview, DiffsPreview } from '../domain/tool/tool.js';
import type { Usage } from '../domain/model/usage.js';
import { t } from './l10n.js';

/** Activity of the conversation. `waiting` means that the user has to answer a permission prompt. */
export type ViewActivity = 'idle' | 'running' | 'waiting';

/** Where a tool call is in its life. */
export type ViewCallStatus = 'streaming' | 'pending' | 'awaiting_approval' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled';

/** Full preview of a call, for the permission prompt and the transcript: the command, or the changes of files. */
export type ViewPreview =
  | { readonly kind: 'command'; readonly command: string; readonly cwd: string; readonly timeoutMs: number }
  | DiffPreview
  | DiffsPreview
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'search'; readonly query: string; readonly service: string }
  | { readonly kind: 'input'; readonly input: string; readonly title?: string; readonly changed?: string }
  | { readonly kind: 'question'; readonly question: Question };

/** An open permission prompt of a call. */
export interface ViewApproval {
  /** Why it asks, as sentences; none when the call itself says all. */
  readonly reasons: readonly string[];
  /** The rules that "Always allow" would add, for the user to edit; absent when no rule could let the call pass. */
  readonly proposal?: readonly string[];
  /** What the proposal does, where it is no rule but an approval that binds to more, as the label of its button. */
  readonly binds?: string;
  /** The same for all of the folder in which a file outside of the workspace lies. */
  readonly wider?: readonly string[];
  /** Every single command of a command line, as written; absent for other calls and for a single one. */
  readonly parts?: readonly string[];
  /** Risks of its parts, the worst of each; absent for none. */
  readonly risks?: readonly CommandRisk[];
  /** Where it works and what is remembered of it, as sentences, for a call in a worktree. */
  readonly place?: string;
  /** Sandbox limits for the call, as a sentence; absent for calls that run outside of the sandbox. */
  readonly held?: string;
  /** Part that the user can edit before allowing the call: the command, or the text of a file; absent for none. */
  readonly editable?: 'command' | 'content';
  /** Whether what is shown is what the user made of the call. */
  readonly changed?: true;
  /** Revision of the call's prompt, which the answer returns. Absent for the first. */
  readonly revision?: number;
  /** Why the last answer could not be followed, such as a rule that cannot be read; the prompt waits for another. */
  readonly problem?: string;
}

/** The parts of what a call is about, for tools whose subject is made of several. */
export interface ViewCallTopic {
  /** Action of a tool that has several, such as `references`, `background`, or `move`. */
  readonly action?: string;
  /** Search text, or target of the action. Default: the subject. */
  readonly what?: string;
  /** The folder or file that a search is limited to, or where a file is moved to. */
  readonly where?: string;
}

/** A tool call as it is shown. */
export interface ViewToolCall {
  readonly id: string;
  /** Whose call it is, where an agent that works on a part of the task has made it: its name and its task. */
  readonly by?: string;
  /** Id of the session of that agent: several can have the same name and task. */
  readonly maker?: string;
  /** Whether it was made in a worktree, where it changes no files of the user. */
  readonly isApart?: true;
  readonly name: string;
  /** A path, a command …; empty until the call is planned. */
  readonly subject: string;
  readonly topic?: ViewCallTopic;
  readonly status: ViewCallStatus;
  /** Live output, then the result for the user; the end of it when it is very long. */
  readonly output: string;
  readonly preview?: ViewPreview;
  readonly approval?: ViewApproval;
  /** Number of images in the result; their bytes are requested one by one. */
  readonly images?: number;
  /** Why it failed, was denied or cancelled. */
  readonly problem?: string;
  /** Reason why it was allowed: a mode, a rule, or the user. */
  readonly why?: string;
  /** Since when it runs, while it does. */
  readonly since?: Timestamp;
  /** Duration of a command. */
  readonly durationMs?: number;
  /** Exit code of a command. */
  readonly exitCode?: number;
  /** Number of results of a search, and whether there are more. */
  readonly results?: number;
  readonly moreResults?: true;
  /** Whether a file that was written is new. */
  readonly created?: true;
  /** The hooks that ran for it, in the order of their events. */
  readonly hooks?: readonly ViewHookRun[];
}

/** A hook that ran for a tool call. */
export interface ViewHookRun {
  readonly event: string;
  /** Display name, such as `PreToolUse (.claude/settings.json:12)`. */
  readonly by: string;
  readonly decision: 'allow' | 'ask' | 'deny' | 'block' | 'none';
  /** Whether it did not answer: it failed, took too long, or printed something else than an answer. */
  readonly failed?: true;
  readonly rewrote?: true;
  /** The arguments of the call before it changed them, as JSON; cut when they are long. */
  readonly asked?: string;
  readonly reason?: string;
  readonly durationMs: number;
}

/** A part of an answer, in order. */
export type ViewBlock =
  | { readonly type: 'text'; text: string }
  /** `ms` is how long it took, where that is known. */
  | { readonly type: 'thinking'; text: string; done: boolean; ms?: number }
  | { readonly type: 'tool'; call: ViewToolCall };

/** Status of an answer. `interrupted` was cut off by a stop, a reload or a crash. */
export type ViewAnswerStatus = 'streaming' | 'complete' | 'interrupted' | 'failed';

/** A user's message. */
export interface ViewUserItem {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  /** Names of attachments. */
  readonly images: readonly string[];
  /** Number of attached images; their bytes are requested one by one. */
  readonly imageCount?: number;
  readonly time: Timestamp;
  /** Whether the provider of a model refused it, so that it is not sent any more. */
  readonly heldBack?: true;
}

/** All that the model said and did in answer to one message of the user: several rounds, one article. */
export interface ViewAnswerItem {
  readonly kind: 'answer';
  readonly id: string;
  readonly blocks: ViewBlock[];
  status: ViewAnswerStatus;
  readonly time: Timestamp;
  /** A line such as "3 rounds · 1,204 tokens · $0.01"; empty until the turn ends. */
  summary: string;
  /** Absent until the turn ends. */
  facts?: ViewAnswerFacts;
}

/** Cost and duration of an answer. Unknown values are absent. */
export interface ViewAnswerFacts {
  /** `provider/model` of its last round. */
  readonly model?: string;
  /** Requests to the model. */
  readonly rounds: number;
  readonly usage: Usage;
  readonly costUsd?: number;
  readonly durationMs?: number;
  /** Tokens that were read again at the full price, although they had been in the provider's cache. */
  readonly cacheBreak?: CacheBreak;
  /** Whether it was given in Plan mode. */
  readonly planned?: true;
  /** The kind of task for which its model was chosen automatically, as guessed or as the user has said; absent where the model was not chosen so. */
  readonly routedAs?: TaskKind;
}

/** The conversation that another one was branched off. */
export interface ViewParent {
  readonly id: string;
  readonly title: string;
}

/** Ways out that a notice offers as buttons. */
export const NOTICE_ACTIONS = [
  'set_api_key',
  'use_key',
  'use_own_model',
  'select_model',
  'open_settings',
  'show_log',
  'manage_trust',
  'continue',
  'retry',
] as const;
/** One of {@link NOTICE_ACTIONS}. */
export type NoticeAction = (typeof NOTICE_ACTIONS)[number];

/** Something the user should know: what happened and what to do next. */
export interface ViewNoticeItem {
  readonly kind: 'notice';
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly actions: readonly NoticeAction[];
  /** A page that helps. */
  readonly link?: { readonly text: string; readonly address: string };
}

/** A place where a summary took over for the model; the messages before it stay readable. */
export interface ViewCompactionItem {
  readonly kind: 'compaction';
  readonly id: string;
  readonly trigger: CompactionTrigger;
  /** Markdown. Empty while it is being written. */
  readonly summary: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** `active` can be undone; one that a later one covers, or that was undone, cannot. */
  readonly status: 'running' | 'active' | 'covered' | 'undone' | 'failed';
  /** Why there is no summary, when it failed. */
  readonly problem?: string;
}

/** An entry of the transcript. */
export type ViewItem = ViewUserItem | ViewAnswerItem | ViewNoticeItem | ViewCompactionItem;

/** A failed request that is made again on its own. */
export interface ViewRetry {
  /** Error message for the user. */
  readonly reason: string;
  /** From 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** When the next attempt starts, in milliseconds since 1970. */
  readonly at: number;
}

/** The instructions of the project and the user's own. */
export interface ViewInstructions {
  /** In the order in which they apply: the later wins. */
  readonly files: readonly ViewInstruction[];
  readonly leftOut: readonly ViewLeftOut[];
}

/** A file with instructions that the model gets. */
export interface ViewInstruction {
  /** Short form of the path; also names it in `open_instruction`. */
  readonly display: string;
  /** Roughly how many it takes. */
  readonly tokens: number;
  /** The names of the hidden characters that were taken out. */
  readonly hidden?: string;
  readonly truncated: boolean;
}

/** A file with instructions that the model does not get. */
export interface ViewLeftOut {
  /** As that of {@link ViewInstruction}; also names it in `ask_include`. */
  readonly display: string;
  /** Why, as a sentence. */
  readonly reason: string;
  /** Whether it is included if the user allows it. */
  readonly needsConsent?: true;
}

/** A file with changes of the agent that the user has neither kept nor undone. */
export interface ViewChangedFile {
  /** Absolute; names the file in requests. */
  readonly path: string;
  /** Short form for display. */
  readonly display: string;
  readonly status: 'created' | 'changed' | 'deleted';
  /** Where it was before it was moved, as it is displayed; absent: it was not moved. */
  readonly movedFrom?: string;
  /** Lines added and removed; absent for files that are no text. */
  readonly added?: number;
  readonly removed?: number;
  /** Who made that; absent where the conversation itself did. */
  readonly authors?: readonly ViewChangeAuthor[];
}

/** An agent that has changed a file, or the conversation itself. */
export interface ViewChangeAuthor {
  /** Empty for the conversation itself, as its name is. */
  readonly id: string;
  readonly name: string;
  /** Its part of the lines. */
  readonly added?: number;
  readonly removed?: number;
}

/** A message that waits to be sent. */
export interface ViewQueuedMessage {
  readonly id: string;
  /** Its text; only the beginning of a very long one. */
  readonly text: string;
  /** Names of what is attached. */
  readonly attached: readonly string[];
  /** Whether it goes with the next round of the turn that runs. */
  readonly now: boolean;
}

/**
 * State of an agent that works on a part of the task. `queued` waits for a place, `waiting` for the user. `interrupted` was at work when its window was
 * closed: it can go on.
 */
export type ViewElfState = 'queued' | 'working' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

/** An agent that works on a part of the task, for the chat or for another such agent; users read “agent”. */
export interface ViewElf {
  /** Unique in the chat, such as `agent-3`; names it in requests. */
  readonly id: string;
  /** Id of the agent that has started it; absent: the chat has. */
  readonly parent?: string;
  /** Id of the call of the chat, or of that agent, by which it was started. */
  readonly callId: string;
  /** Name of its agent, such as `explore`. */
  readonly type: string;
  /** The work in a few words. */
  readonly task: string;
  /** Display names of its model and of who runs that. */
  readonly model: string;
  readonly provider: string;
  readonly state: ViewElfState;
  /** Whether who has started it does not wait for it. */
  readonly background: boolean;
  /** Its place in the queue, from 1, while it waits for one. */
  readonly position?: number;
  /** What it does at the moment, such as a tool with what that is about; empty for nothing in particular. */
  readonly now: string;
  /** How often it was told to work; more than one where it was continued. */
  readonly runs: number;
  /** Requests to the model. */
  readonly rounds: number;
  /** Tokens of all its requests, and of the agents that it has started. */
  readonly tokens: number;
  /** Their cost, formatted, such as “$0.12” or “n/a”; empty before the first request. */
  readonly cost: string;
  /** What is left of its budget, formatted; absent without a limit. */
  readonly left?: string;
  /** When its run began. */
  readonly since: Timestamp;
  /** How long its last run took, in milliseconds; absent while it works. */
  readonly durationMs?: number;
  /** How long its runs before that took together; absent for none. */
  readonly earlierMs?: number;
  /** Why it failed, as a sentence. */
  readonly problem?: string;
  /** What is said on the lines below that, such as what a command has printed last; the end of it. */
  readonly details?: string;
  /** Whether it works in a worktree of its own. */
  readonly isolated?: true;
  /** How many files it has changed there; absent until that is known. */
  readonly changed?: number;
  /** How many of them the user has to merge; absent for none, and until that is known. */
  readonly conflicts?: number;
  /** Whether all of them were applied to the files of the user; absent where none was. */
  readonly applied?: boolean;
}

/** A limit of the agents of a chat that was reached, and that the user can raise for this chat. It is an offer: nothing waits for an answer. */
export interface ViewElfLimit {
  readonly limit: ElfLimit;
  /** Its value, formatted, such as “$2.00”. */
  readonly value: string;
  /** Usage that counts against it, formatted, or “n/a”. */
  readonly used: string;
  /** The value that it can be raised to. Absent where a price or the cost is not known, so that more would not help. */
  readonly higher?: { readonly value: number; readonly text: string };
  /** Agents that it has stopped. */
  readonly stopped: number;
  /** Starts of agents that were refused for it. */
  readonly refused: number;
  /** Ids of agents that the user wants to go on, which they do once it is raised; absent for none. */
  readonly wanted?: readonly string[];
}

/** Messages that are sent one after the other, each when the turn before it has ended. */
export interface ViewQueue {
  readonly messages: readonly ViewQueuedMessage[];
  /** Why they do not go out on their own, as a sentence; empty while they do. */
  readonly held: string;
}

/** A conversation as it is shown. The host has the source of truth; a panel has a copy that {@link applyViewEvent} keeps equal. */
export interface ViewState {
  title: string;
  activity: ViewActivity;
  /** Whether another window has taken it over: it can only be read here. */
  elsewhere?: boolean;
  /** Whether it is that of an agent: what that changes is recorded, and restored, with the chat that it works for. */
  isOfAgent?: true;
  /** `provider/model`. */
  model: string;
  /** Who chooses it. Absent: `default`. */
  modelChoice?: ModelChoice['type'];
  /** The permission mode that the user chose. */
  mode: string;
  /** That in which calls are judged: an agent can work in a stricter one. Absent: {@link mode}. */
  effectiveMode?: string;
  /** Name of the agent that works; empty without one. */
  agent: string;
  /** Tokens and cost of the whole session, formatted; empty before the first answer. */
  usage: string;
  /** The tokens by kind; absent before the first answer. */
  spent?: Usage;
  effort: ThinkingEffort;
  /** Usage of the model's context window; absent until it is known. */
  context?: ContextUse | undefined;
  /** Status of hooks that have been running for a while; empty for none. */
  hookStatus: string;
  /** Pause before a retry; `null` for none, since `undefined` is lost on the way to the panel. */
  retry: ViewRetry | null;
  /** Files that the conversation has changed and the user has neither kept nor undone. */
  changes: readonly ViewChangedFile[];
  /** Where it was branched off; absent for a conversation that began on its own. */
  parent?: ViewParent;
  /** The model's plan, as it last showed it. */
  todos: readonly TodoItem[];
  /** The agents that work on parts of the task, or have: in the order in which they were started. */
  elves: readonly ViewElf[];
  /** The limit for which some of them stopped or were not started; `null` or absent for none. */
  elfLimit?: ViewElfLimit | null;
  instructions: ViewInstructions;
  /** Messages that the user sent while a turn was running. */
  queue: ViewQueue;
  readonly items: ViewItem[];
}

/** No message waits. */
export const EMPTY_QUEUE: ViewQueue = { messages: [], held: '' };

/** A conversation without anything in it. */
export function emptyViewState(model: string, mode: string): ViewState {
  return {
    title: t('New Chat'),
    activity: 'idle',
    model,
    mode,
    agent: '',
    usage: '',
    effort: 'off',
    hookStatus: '',
    retry: null,
    changes: [],
    todos: [],
    elves: [],
    instructions: { files: [], leftOut: [] },
    queue: EMPTY_QUEUE,
    items: [],
  };
}
