import { t } from '../../../src/protocol/l10n.js';

/** Characters of what one press remembers; more has to be looked at first. */
const MAX_PHRASE = 60;
const COMMAND = /^Bash\((.+?)(:\*)?\)$/;
const EDIT = /^Edit\((.+)\)$/;
const READ = /^Read\((.+)\)$/;
const FETCH = /^WebFetch\(domain:(.+)\)$/;

/**
 * Label of rules for a button: "npm test", "edits in src/".
 * @returns nothing when it would be too long to be read on a button.
 */
export function rulesPhrase(rules: readonly string[]): string | undefined {
  const phrase = [...new Set(rules.map(rulePhrase))].join(', ');
  return phrase === '' || phrase.length > MAX_PHRASE ? undefined : phrase;
}

/** A rule as it is listed: an absolute path, which rules begin with two slashes, as the path that it is. */
export function shownRule(rule: string): string {
  return rule.includes('(//') ? rulePhrase(rule) : rule;
}

/** The path in a rule as people write it. */
function pathIn(pattern: string | undefined): string | undefined {
  return pattern?.replace(/^\/\/(?=[A-Za-z]:)/, '').replace(/^\/\//, '/');
}

function rulePhrase(rule: string): string {
  const command = COMMAND.exec(rule);
  // A rule for a command with any arguments is not one for the command alone.
  if (command?.[1] !== undefined) return command[2] === undefined ? command[1] : t('{0} …', command[1]);
  const edit = pathIn(EDIT.exec(rule)?.[1]);
  if (edit !== undefined) return edit.endsWith('/**') ? t('editing and deleting in {0}', edit.slice(0, -2)) : t('editing and deleting {0}', edit);
  const read = pathIn(READ.exec(rule)?.[1]);
  if (read !== undefined) return read.endsWith('/**') ? t('reading in {0}', read.slice(0, -2)) : t('reading {0}', read);
  if (rule === 'WebSearch') return t('web searches');
  const host = FETCH.exec(rule)?.[1];
  return host === undefined ? rule : t('fetching from {0}', host);
}
