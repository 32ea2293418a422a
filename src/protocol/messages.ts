import type { RuleScope } from '../domain/permission.js';
import type { ViewEvent } from './view-event.js';
import type { NoticeAction, ViewState } from './view-state.js';

/** A choice of a selector. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Heading that choices of one kind share, such as the name of a provider. */
  readonly group?: string;
}

/** A line of the history list. */
export interface HistoryEntry {
  readonly id: string;
  readonly title: string;
  /** RFC 3339. */
  readonly updatedAt: string;
  readonly messageCount: number;
  readonly current: boolean;
  /** Why the session cannot be opened. */
  readonly problem?: string;
}

/** A picture or file the person attached; the host holds its contents under `id` until it is sent or removed. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly kind: 'image' | 'file';
}

/** From the extension host to a panel. */
export type HostMessage =
  /** The whole conversation: the answer to `ready` when the panel's copy cannot be brought up to date by deltas. */
  | {
      readonly type: 'snapshot';
      readonly session: string;
      /** Changes when the host starts anew; sequence numbers of different epochs cannot be compared. */
      readonly epoch: string;
      /** Sequence number of the last event that `state` holds. */
      readonly seq: number;
      readonly state: ViewState;
    }
  /** Events numbered `first`, `first + 1`, … */
  | {
      readonly type: 'events';
      readonly session: string;
      readonly epoch: string;
      readonly first: number;
      readonly events: readonly ViewEvent[];
    }
  | {
      readonly type: 'choices';
      readonly models: readonly Choice[];
      readonly modes: readonly Choice[];
      /** Empty where the current model cannot think. */
      readonly efforts: readonly Choice[];
    }
  | { readonly type: 'history'; readonly sessions: readonly HistoryEntry[] }
  | { readonly type: 'attachments'; readonly attachments: readonly Attachment[] }
  /** A `send` was taken; the composer may forget that text. */
  | { readonly type: 'accepted'; readonly sendId: string }
  /** A `send` was not taken; the composer keeps its text. */
  | { readonly type: 'rejected'; readonly sendId: string; readonly reason: string }
  | { readonly type: 'focus_composer' };

/** From a panel to the extension host. Everything in it is checked again on arrival. */
export type PanelMessage =
  /** The panel is there. With `attached` it still holds a copy up to that event. */
  | { readonly type: 'ready'; readonly attached?: { readonly session: string; readonly epoch: string; readonly seq: number } }
  /** All events up to `seq` are applied: back-pressure for the host. */
  | { readonly type: 'ack'; readonly seq: number }
  | { readonly type: 'send'; readonly sendId: string; readonly text: string; readonly attachments: readonly string[] }
  | { readonly type: 'stop' }
  | { readonly type: 'new_session' }
  | { readonly type: 'list_history' }
  | { readonly type: 'open_session'; readonly id: string }
  | { readonly type: 'delete_session'; readonly id: string }
  | { readonly type: 'set_model'; readonly model: string }
  | { readonly type: 'set_mode'; readonly mode: string }
  | {
      readonly type: 'answer_approval';
      readonly callId: string;
      readonly answer: 'allow' | 'always' | 'deny';
      /** With `deny`: what to do instead. */
      readonly feedback?: string;
      /** With `allow`: the command as the person changed it. */
      readonly command?: string;
      /** With `always`: the rules to add, and where. */
      readonly rules?: readonly string[];
      readonly scope?: RuleScope;
    }
  /** Keeps or undoes what the agent changed in a file. */
  | { readonly type: 'review_file'; readonly action: 'keep' | 'undo' | 'show'; readonly path: string }
  /** The same for all files; `show` opens them side by side with what they were. */
  | { readonly type: 'review_all'; readonly action: 'keep' | 'undo' | 'show' }
  /** Brings the files back to before a message of the person. */
  | { readonly type: 'restore_files'; readonly item: string }
  | { readonly type: 'set_effort'; readonly effort: string }
  /** Ends the wait before another attempt. */
  | { readonly type: 'retry_now' }
  | { readonly type: 'undo_compaction'; readonly item: string }
  | { readonly type: 'open_instruction'; readonly display: string }
  | {
      readonly type: 'answer_question';
      readonly callId: string;
      readonly choices: readonly string[];
      readonly text?: string;
    }
  | { readonly type: 'dismiss_question'; readonly callId: string }
  | { readonly type: 'notice_action'; readonly action: NoticeAction }
  | { readonly type: 'pick_attachments' }
  | { readonly type: 'remove_attachment'; readonly id: string }
  /** A link in an answer; the host shows the whole address and asks before it opens. */
  | { readonly type: 'open_link'; readonly url: string }
  /** The panel failed; goes to the log. */
  | { readonly type: 'report_error'; readonly message: string };
