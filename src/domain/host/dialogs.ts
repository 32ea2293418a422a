/** Notifications and dialogs outside of the chat. Each returns the user's choice; `undefined` for none. */
export interface Dialogs {
  /** Shows a notification. */
  notify(level: 'info' | 'warning', text: string, ...choices: readonly string[]): Promise<string | undefined>;
  /** Shows a dialog that must be answered; it has a Cancel of its own. */
  modal(text: string, detail: string, ...choices: readonly string[]): Promise<string | undefined>;
  /** Shows the whole of a long text in an editor, where it can be scrolled, and asks about it beside that. @param document its title and text */
  beside(question: string, document: { readonly title: string; readonly text: string }, ...choices: readonly string[]): Promise<string | undefined>;
}
