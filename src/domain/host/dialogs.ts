/** A file that the user is to merge, with three versions of its text. */
export interface MergeRequest {
  /** Path for display. */
  readonly name: string;
  readonly base: string;
  readonly here: string;
  readonly there: string;
  /** What is merged already, with the marks of Git where it is left to the user. */
  readonly marked: string;
  /** The same with the lines of `there` in place of the marks. */
  readonly theirs: string;
  /** Whose `there` is. */
  readonly author: string;
  /** Writes what came of it into the file. @throws Error with a sentence for the user where that cannot be */
  readonly save: (text: string) => Promise<void>;
}

/** A file as it is, and as it would be. */
export interface FileTexts {
  /** In the folder, with `/`, for display. */
  readonly path: string;
  /** The former path of one that is renamed. */
  readonly from?: string;
  /** Absent for a new file. */
  readonly before?: string;
  /** Absent for a file that would be deleted. */
  readonly after?: string;
}

/** A question whether files are to be changed. */
export interface ChangesQuestion {
  readonly text: string;
  readonly detail: string;
  /** Of the comparison that shows the changes. */
  readonly title: string;
  /** The choice that has them changed. */
  readonly yes: string;
  readonly files: readonly FileTexts[];
}

/** Notifications and dialogs outside of the chat. Each returns the user's choice; `undefined` for none. */
export interface Dialogs {
  /** Shows a notification. */
  notify(level: 'info' | 'warning', text: string, ...choices: readonly string[]): Promise<string | undefined>;
  /** Shows a dialog that must be answered; it has a Cancel of its own. */
  modal(text: string, detail: string, ...choices: readonly string[]): Promise<string | undefined>;
  /** Shows the whole of a long text in an editor, where it can be scrolled, and asks about it beside that. @param document its title and text */
  beside(question: string, document: { readonly title: string; readonly text: string }, ...choices: readonly string[]): Promise<string | undefined>;
  /** Asks whether files are to be changed. The user can look at all changes before they answer. Absent where there is nothing to show them in. */
  readonly confirmChanges?: (question: ChangesQuestion) => Promise<boolean>;
  /** Shows files to be merged. Absent where there is nothing to do that in. */
  readonly merge?: (files: readonly MergeRequest[]) => Promise<void>;
}
