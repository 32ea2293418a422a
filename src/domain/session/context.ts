import type { Timestamp } from '../model/message.js';

/** Trigger of a compaction: the user, the budget, or the model's refusal. */
export type CompactionTrigger = 'manual' | 'auto' | 'context_length';

/**
 * A summary that replaces the beginning of a conversation on the wire. The messages stay in the session; this is an
 * overlay in its sidecar, so taking the last one away undoes it.
 */
export interface Compaction {
  /** Index of the first message that is still sent as it is. All before it is replaced by the summary. */
  readonly upTo: number;
  /** Number of messages when it was made, which is its place in the transcript. */
  readonly at: number;
  readonly summary: string;
  /** What was under way when it was made, in lines, such as agents at work: the model knows that whatever the summary says. Absent for nothing. */
  readonly underWay?: string;
  readonly trigger: CompactionTrigger;
  readonly createdAt: Timestamp;
  /** Estimated tokens of the request before and after. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** Usage of a model's context window by the next request, in tokens. Partly estimated. */
export interface ContextUse {
  readonly used: number;
  /** The context window less what is kept free for the answer. */
  readonly limit: number;
  /** Whether the model itself counted all of it, so that nothing is estimated. */
  readonly exact?: true;
  /** Its parts; absent where they are not known. */
  readonly parts?: ContextParts;
}

/** Parts of a request in estimated tokens, which add up to the total. */
export interface ContextParts {
  /** The system prompt without the project's instructions. */
  readonly systemPrompt: number;
  /** The descriptions of the tools. */
  readonly tools: number;
  /** The project's instructions, in the system prompt and with results. */
  readonly instructions: number;
  /** Messages of the user and the model, with attached text. */
  readonly messages: number;
  readonly images: number;
  /** Tool results, without images. */
  readonly toolResults: number;
}

/** Why a request could not read what the one before had left in the provider's cache. */
export const CACHE_BREAK_REASONS = ['model', 'summary', 'summary_undone', 'tools', 'system_prompt', 'images', 'effort', 'expired', 'unknown'] as const;

/** A part of a request that was read anew, although it had been in the provider's cache. */
export interface CacheBreak {
  readonly reason: (typeof CACHE_BREAK_REASONS)[number];
  /** Tokens that could have been read from the cache and were not. */
  readonly tokens: number;
}

/** A chat that the provider of the next message does not have in its cache: what that message costs. */
export interface ColdCache {
  /** Why: too much time has passed, it goes to another model, or its last summary was undone. */
  readonly reason: 'expired' | 'model' | 'summary_undone';
  /** Tokens that are read again at the full price. */
  readonly tokens: number;
  /** US dollars; absent when the price is not known. */
  readonly costUsd?: number;
}

/** A file with instructions for agents, such as `AGENTS.md`: of the project, or the user's own. */
export interface InstructionFile {
  /** Absolute path. */
  readonly path: string;
  /** Short form for display; also the name of the file in texts for the model. */
  readonly display: string;
  /** Text for the model: without hidden characters, cut at the limit. */
  readonly text: string;
  /** The names of the hidden characters that were taken out; absent when there were none. */
  readonly hidden?: string;
  /** Whether the text was cut. */
  readonly truncated: boolean;
}

/** A file with instructions that the model does not get. */
export interface LeftOutInstructions extends Pick<InstructionFile, 'path' | 'display'> {
  /** Why, as a sentence for users. */
  readonly reason: string;
  /** The display name of the file that wants to include it, where that needs the consent of the user. */
  readonly wantedBy?: string;
}

/** The instructions that there are. */
export interface FoundInstructions {
  /** In the order in which they apply: the later wins. */
  readonly files: readonly InstructionFile[];
  readonly leftOut: readonly LeftOutInstructions[];
}

/** Nothing found. */
export const NO_INSTRUCTIONS: FoundInstructions = { files: [], leftOut: [] };

/** Finds instructions as they are now. Files that cannot be read are left out. */
export interface Instructions {
  /**
   * Those for the whole workspace, and the user's own.
   * @param given display names of files that {@link ofFile} found before: they are looked for again.
   */
  ofWorkspace(signal: AbortSignal, given?: readonly string[]): Promise<FoundInstructions>;
  /**
   * Those for one file beside the ones for the whole workspace: of the folders between the workspace folder and the file,
   * outermost first, and those whose patterns it fits.
   */
  ofFile(path: string, signal: AbortSignal): Promise<FoundInstructions>;
}
