/** The programs that files were written for. */
export type Program = 'Claude Code' | 'VS Code' | 'Copilot CLI' | 'Cursor' | 'Roo Code' | 'Cline' | 'Codex' | 'agentskills.io';
/** What a file is. */
export type Kind = 'agent' | 'command' | 'skill' | 'output style' | 'rule' | 'hooks' | 'settings' | 'servers';

/** What a file must give: by the names that the readers of this kind give out (see read-case.ts). What is not named must be right in any way. */
export type Expected = Readonly<Record<string, unknown>>;

/** A form of a file, its text, what it must give, and its path where that is not the usual one of its group. */
export type Row = readonly [form: string, text: string, expected: Expected, path?: string];

/** Forms of one kind of file, by the documentation of the program that they are for. */
export interface Group {
  readonly program: Program;
  readonly kind: Kind;
  /** The page of that documentation that says what the forms mean. */
  readonly source: string;
  /** From the workspace folder on; `~/` is the home folder. */
  readonly path: string;
  readonly rows: readonly Row[];
}

/** A file with front matter. */
export function md(yaml: string, body = 'Do it.\n'): string {
  return `---\n${yaml}\n---\n${body}`;
}

/** The same with line endings of Windows. */
export function crlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}
