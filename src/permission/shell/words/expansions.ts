import type { Context, Scope } from '../context.js';
import type { ShellNode } from '../grammar/shell-node.js';
import { expansionsIn } from '../grammar/source.js';
import { unreadable } from '../doubts.js';
import type { Word } from './word.js';

/** Judges the commands in expansions of a word, and in what is nested in them. */
export function judgeExpansions(nodes: readonly ShellNode[], context: Context, scope: Scope): void {
  for (const node of nodes) {
    if (node.type === 'command_substitution' || node.type === 'process_substitution') judgeSubstitution(node, context, scope);
    else judgeAllWithin(node, context, scope);
  }
}

/** Judges every expansion below a node whose text is not read word by word. */
export function judgeAllWithin(node: ShellNode, context: Context, scope: Scope): void {
  const nested = expansionsIn(node);
  for (const { start } of nested) context.source.takeExpansion(start);
  judgeExpansions(nested, context, scope);
}

function judgeSubstitution(node: ShellNode, context: Context, scope: Scope): void {
  const { text } = context.source;
  const first = node.children[0] ?? unreadable();
  const last = node.children.at(-1) ?? unreadable();
  const written = text.slice(node.start, node.end);
  if (!/^(?:\$\([^]*\)|[<>]\([^]*\)|`[^`\\"]*`)$/.test(written) || first === last || last.end !== node.end) unreadable();
  const inner = node.children.slice(1, -1);
  context.sequence(inner, scope, { start: first.end, end: last.start });
}

/** Names of variables that by convention contain passwords or keys. */
const SECRET_NAME =
  /(?:TOKEN|SECRET|PASSW|PASSPHRASE|PWD_|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH|COOKIE|SIGNING|DSN|DATABASE_URL|CONNECTION_STRING)/i;

/** Whether a name is that of a variable which contains a password or a key. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a word expands a variable that likely contains a secret. */
export function expandsSecret({ start, end, risk }: Pick<Word, 'start' | 'end' | 'risk'>, { source }: Context): boolean {
  return risk !== 'none' && (source.text.slice(start, end).match(/\$\{?[!#]?\w+/g) ?? []).some((name) => isSecretVariable(name));
}
