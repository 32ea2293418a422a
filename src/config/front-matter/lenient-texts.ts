import { isAlias, parseDocument } from 'yaml';

/** A field on one line, outside of all others. */
interface FieldLine {
  readonly name: string;
  /** As it is written, without the spaces around it. */
  readonly value: string;
}

/** Values that are made valid: each is read once more. */
const MAX_TEXTS = 50;
/** With one of these, a value may be no YAML although it is meant as a text. Quotation marks, `|`, `>`, `&` and `!` are always meant as YAML. */
const DOUBTFUL_START = /^[*@%`,[\]{}?-]/;

/**
 * The values of fields on one line each, as they are written. Agents of public repositories have values such as
 * `Use this for: example` and `[file] [mode]`, and some fields are texts whatever they look like.
 */
export function fieldLines(yaml: string): ReadonlyMap<string, string> {
  const lines = yaml.split('\n');
  const found = new Map<string, string>();
  for (const [index] of lines.entries()) {
    const field = fieldLine(lines, index);
    if (field !== undefined) found.set(field.name, field.value);
  }
  return found;
}

/**
 * A YAML text in which values of one line that are no YAML without quotation marks are in quotation marks. Its lines stay
 * the same.
 */
export function withQuotedTexts(yaml: string): { readonly yaml: string; readonly quoted: readonly { readonly name: string; readonly line: number }[] } {
  const lines = yaml.split('\n');
  const quoted: { name: string; line: number }[] = [];
  const made = lines.map((line, index) => {
    const field = fieldLine(lines, index);
    if (field === undefined || quoted.length === MAX_TEXTS || !isMeantAsText(field.value)) return line;
    quoted.push({ name: field.name, line: index + 1 });
    return `${field.name}: ${JSON.stringify(field.value)}`;
  });
  return { yaml: made.join('\n'), quoted };
}

/** `undefined` for lines that are no field, and for fields that go on in the next line. */
function fieldLine(lines: readonly string[], index: number): FieldLine | undefined {
  const line = lines[index] ?? '';
  const [, name] = /^([A-Za-z_][\w.-]*):[ \t]/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const value = line.slice(name.length + 1).trim();
  return value === '' || value.startsWith('#') || goesOn(lines, index) ? undefined : { name, value };
}

function goesOn(lines: readonly string[], index: number): boolean {
  for (let next = index + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line.trim() !== '') return /^\s/.test(line);
  }
  return false;
}

function isMeantAsText(value: string): boolean {
  if (/^["'|>&!]/.test(value)) return false;
  if (!DOUBTFUL_START.test(value) && !/:(?:\s|$)/.test(value)) return false;
  const { errors: [error], contents } = parseDocument(`value: ${value}`, { prettyErrors: false, uniqueKeys: false });
  // A list whose end is missing is a mistake, and not a text.
  if (/^[[{]/.test(value)) return error?.code === 'UNEXPECTED_TOKEN';
  return error !== undefined || isAlias((contents as { readonly items?: readonly { readonly value: unknown }[] } | null)?.items?.[0]?.value);
}
