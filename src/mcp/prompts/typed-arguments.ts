import { t } from '../../domain/l10n.js';
import { showName } from '../../text/show.js';
import type { McpPrompt } from '../../domain/mcp/feature.js';

/** Something in quotation marks, in which `\"` and `\\` stand for themselves, or anything up to a white space. */
const WORD = /"((?:[^"\\]|\\[\s\S])*)"(?=\s|$)|(\S+)/g;

/** Values by the names of the arguments. */
export type PromptValues = Readonly<Record<string, string>>;

/**
 * The arguments as they were typed behind a command: in their order, each a word or in quotation marks. The last one takes all that is
 * left where that is not in quotation marks, as in `/server:prompt 42 please be brief`. One that is `""` is left out.
 * @throws Error when the prompt takes none
 */
export function typedValues(prompt: McpPrompt, typed: string): PromptValues {
  const names = prompt.arguments.map(({ name }) => name);
  const words = [...typed.matchAll(WORD)];
  const last = names.length - 1;
  const values = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const name = names[Math.min(index, last)];
    if (name === undefined) throw new Error(t('The prompt “{0}” has no arguments.', showName(prompt.name)));
    if (index < last || words.length === names.length) values.set(name, valueOf(word));
    else if (index === last) values.set(name, typed.slice(word.index).trim());
  }
  return Object.fromEntries([...values].filter(([, value]) => value !== ''));
}

/** The names of the arguments that are needed and have no value. */
export function missingIn(prompt: McpPrompt, values: PromptValues): readonly string[] {
  return prompt.arguments.filter(({ name, required }) => required && (!Object.hasOwn(values, name) || values[name]?.trim() === '')).map(({ name }) => name);
}

function valueOf([whole, quoted]: RegExpExecArray): string {
  return quoted === undefined ? whole : quoted.replace(/\\(["\\])/g, '$1');
}
