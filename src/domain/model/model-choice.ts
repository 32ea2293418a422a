/** Who chooses the model of a session: Gnomon for each task, the user once, or nobody, so that it has the one of new chats. */
export type ModelChoice =
  | { readonly type: 'default' }
  | { readonly type: 'auto' }
  /** `key` is `provider/model`. */
  | { readonly type: 'pinned'; readonly key: string };

/** What stands for {@link ModelChoice} in settings, files, and requests, where a model is not named: no key of a model is like that, as each has a slash. */
export const AUTO = 'auto';
/** The same for the model of new sessions. */
export const DEFAULT_MODEL = 'default';

/** As it is stored and said. */
export function choiceText(choice: ModelChoice): string {
  return choice.type === 'pinned' ? choice.key : choice.type;
}

/** Reads what {@link choiceText} wrote; anything else names a model. */
export function readChoice(text: string): ModelChoice {
  return text === AUTO || text === DEFAULT_MODEL ? { type: text } : { type: 'pinned', key: text };
}
