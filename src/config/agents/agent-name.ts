import { withoutUnseen } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { shownName } from '../../text/key-path.js';

/** Characters of a name. */
const MAX_NAME = 64;
/** Names that mean something else where agents are chosen, in lower case. */
const RESERVED: ReadonlySet<string> = new Set([
  'gnomon',
  'default',
  'main',
  'none',
  'all',
  'inherit',
  'managed',
  'local',
  'project',
  'user',
  '__proto__',
  'constructor',
  'prototype',
]);

/** Why an agent cannot have a name; `undefined` when it can. */
export function agentNameProblem(name: string): string | undefined {
  if (name.trim() === '') return t('The agent has no name.');
  if (name.length > MAX_NAME) return t('The name of the agent has more than {0} characters.', MAX_NAME);
  if (/[:/\\\n\r\t*"'`<>|]/.test(name) || /^[-.\s]/.test(name) || name.includes('..'))
    return t(
      'An agent cannot have the name “{0}”. Names do not begin with a dash or a dot, and contain none of these characters: {1}',
      shownName(name),
      ': / \\ * " \' ` < > |',
    );
  if (withoutUnseen(name).hidden !== undefined) return t('The name “{0}” contains characters that cannot be seen.', shownName(name));
  if (RESERVED.has(name.toLowerCase())) return t('The name “{0}” is reserved. Choose another one.', shownName(name));
  return undefined;
}

/**
 * A name that VS Code shows as it is, without the characters that no agent can have in its name here: `C#/.NET Janitor` is `C# .NET Janitor`,
 * `SE: Security` is `SE Security`.
 */
export function usableAgentName(name: string): string {
  const spaced = name
    .replace(/[:/\\\n\r\t*"'`<>|\s]+/g, ' ')
    .replace(/\.{2,}/g, '.')
    .trim();
  return spaced
    .replace(/^[-.\s]+/, '')
    .slice(0, MAX_NAME)
    .trim();
}

/** Comparison key of agent names. Case is ignored, as names that differ only in case would be confusing. */
export function agentNameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** The name of an agent that its file gives none: that of the file, without its ending. @param file absolute, of any system */
export function nameOfFile(file: string): string {
  return (file.split(/[/\\]/).at(-1) ?? '').replace(/(?:\.agent|\.chatmode)?\.md$/i, '');
}
