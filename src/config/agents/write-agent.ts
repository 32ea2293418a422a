/** The user's input for a new agent. */
export interface AgentForm {
  readonly name: string;
  readonly description: string;
  /** System prompt of the agent. */
  readonly prompt: string;
  /** Names as the file has them; absent: all. */
  readonly tools?: readonly string[];
  /** Absent: that of the chat. */
  readonly model?: string;
}

/** Fields of front matter, in the order in which they are written. */
const FIELDS = ['name', 'description', 'tools', 'model'] as const;
type FieldName = (typeof FIELDS)[number];

/** The text of a new file, in the form of Claude Code, which Gnomon has as well. */
export function newAgentText({ prompt, ...fields }: AgentForm): string {
  const lines = FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [fieldText(name, fields[name])]));
  return `---\n${lines.join('\n')}\n---\n\n${prompt.trim()}\n`;
}

function fieldText(name: FieldName, value: string | readonly string[]): string {
  if (typeof value === 'string') return `${name}: ${scalarText(value)}`;
  // Commas between names are what Claude Code writes; a name with a comma or a bracket needs a list.
  const isPlain = value.length > 0 && value.every((tool) => /^[A-Za-z][\w.*/-]*$/.test(tool));
  return `${name}: ${isPlain ? value.join(', ') : JSON.stringify(value)}`;
}

/** A text as YAML on one line: with quotation marks unless it clearly needs none. */
function scalarText(text: string): string {
  const isPlain = /^[A-Za-z][\w ,.()/-]*$/.test(text) && text === text.trim() && !/^(?:true|false|null|yes|no|on|off)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
