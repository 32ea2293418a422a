import type { Timestamp } from '../domain/message.js';

/** What the conversation is doing. `waiting` means that the person has to answer a permission prompt. */
export type ViewActivity = 'idle' | 'running' | 'waiting';

/** Where a tool call is in its life. */
export type ViewCallStatus =
  | 'streaming'
  | 'pending'
  | 'awaiting_approval'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'cancelled';

/** What will run or change, whole, for a permission prompt and for reading afterwards. */
export type ViewPreview =
  | { readonly kind: 'command'; readonly command: string; readonly cwd: string; readonly timeoutMs: number }
  | { readonly kind: 'diff'; readonly path: string; readonly diff: string; readonly created: boolean };

/** An open permission prompt of a call. `grant` says what "Always allow" would allow; absent when not offered. */
export interface ViewApproval {
  readonly reasons: readonly string[];
  readonly grant?: string;
}

/** A tool call as it is shown. */
export interface ViewToolCall {
  readonly id: string;
  readonly name: string;
  /** A path, a command …; empty until the call is planned. */
  readonly subject: string;
  readonly status: ViewCallStatus;
  /** Live output, then the result for the person; the end of it when it is very long. */
  readonly output: string;
  readonly preview?: ViewPreview;
  readonly approval?: ViewApproval;
  /** Why it failed, was denied or cancelled. */
  readonly problem?: string;
}

/** A part of an answer, in order. */
export type ViewBlock =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; text: string; done: boolean }
  | { readonly type: 'tool'; call: ViewToolCall };

/** How an answer stands. `interrupted` was cut off by a stop, a reload or a crash. */
export type ViewAnswerStatus = 'streaming' | 'complete' | 'interrupted' | 'failed';

/** A person's message. */
export interface ViewUserItem {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  /** Names of attached pictures. */
  readonly images: readonly string[];
  readonly time: Timestamp;
}

/** All that the model said and did in answer to one message of the person: several rounds, one article. */
export interface ViewAnswerItem {
  readonly kind: 'answer';
  readonly id: string;
  readonly blocks: ViewBlock[];
  status: ViewAnswerStatus;
  readonly time: Timestamp;
  /** A line such as "3 rounds · 1,204 tokens · $0.012"; empty until the turn ends. */
  summary: string;
}

/** Ways out that a notice offers as buttons. */
export const NOTICE_ACTIONS = ['set_api_key', 'select_model', 'open_settings', 'show_log', 'continue', 'retry'] as const;
/** One of {@link NOTICE_ACTIONS}. */
export type NoticeAction = (typeof NOTICE_ACTIONS)[number];

/** Something the person should know: what happened and what to do next. */
export interface ViewNoticeItem {
  readonly kind: 'notice';
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly actions: readonly NoticeAction[];
}

/** An entry of the transcript. */
export type ViewItem = ViewUserItem | ViewAnswerItem | ViewNoticeItem;

/** A conversation as it is shown. The host holds the truth; a panel holds a copy that {@link applyViewEvent} keeps equal. */
export interface ViewState {
  title: string;
  activity: ViewActivity;
  /** `provider/model`. */
  model: string;
  mode: string;
  /** Tokens and cost of the whole session, in words; empty before the first answer. */
  usage: string;
  readonly items: ViewItem[];
}

/** A conversation without anything in it. */
export function emptyViewState(model: string, mode: string): ViewState {
  return { title: 'New session', activity: 'idle', model, mode, usage: '', items: [] };
}
