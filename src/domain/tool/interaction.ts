/** A question of the model to the user. */
export interface Question {
  readonly question: string;
  /** Answers to choose from, two to six, or none for an open question; the user can always write another. */
  readonly choices: readonly string[];
  /** Whether more than one may be chosen. */
  readonly multiple: boolean;
}

/** The user's answer to a question. */
export type QuestionAnswer =
  | { readonly type: 'answered'; readonly choices: readonly string[]; readonly text?: string }
  /** The user does not want to answer. */
  | { readonly type: 'dismissed' };

/** Asks the user in the chat. */
export interface Questions {
  /** Resolves with the answer. @throws AbortError when the signal stops it. */
  ask(callId: string, question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
}

/** One step of the plan that the user sees. */
export interface TodoItem {
  readonly text: string;
  readonly status: 'pending' | 'in_progress' | 'done';
}
