/** What permission says to the user beside the chat, and what they choose; `undefined` when they choose nothing. */
export interface Dialogs {
  /** Shows a notification. */
  notify(level: 'info' | 'warning', text: string, ...choices: readonly string[]): Promise<string | undefined>;
  /** Shows a dialog that must be answered; it has a Cancel of its own. */
  modal(text: string, detail: string, ...choices: readonly string[]): Promise<string | undefined>;
}
