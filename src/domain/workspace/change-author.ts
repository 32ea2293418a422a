/** Who makes changes for a chat. */
export interface ChangeAuthor {
  /** Id of the session of an agent, or another one that stays the same; empty for the chat itself. */
  readonly id: string;
  /** For the user, such as `general: Change two lines`; empty for the chat itself. */
  readonly name: string;
}

/** The chat itself. */
export const CHAT_AUTHOR: ChangeAuthor = { id: '', name: '' };
