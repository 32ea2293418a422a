import { anyOf } from '../../text/any-of.js';
import { readsConfig } from '../shell/hazards/git.js';
import { DOUBT } from '../shell/doubts.js';
import type { RiskKind } from './kinds.js';
import type { Part } from './part.js';

/** Settings that name a program which Git runs. */
const PROGRAM_SETTING = new RegExp(
  `^(?:${anyOf(
    /core\.(?:hookspath|sshcommand|pager|editor|fsmonitor|askpass|gitproxy)|pager\..*/,
    /credential\..*helper/,
    /filter\..*|diff\..*(?:command|textconv)|diff\.external|merge\..*driver/,
    /gpg\..*program|sequence\.editor/,
    /include(?:if)?\..*|init\.templatedir|uploadpack\..*|protocol\..*/,
  )})$`,
  'i',
);

/** Risks of a Git command for commits, for uncommitted work, and for remote repositories. */
export function gitRisks(part: Part): readonly RiskKind[] {
  const { git } = part;
  if (git === undefined) return [];
  const settings = part.texts.some((text, index) => part.texts[index - 1] === '-c' && setsProgram(text));
  const own = Object.hasOwn(BY_VERB, git.verb) ? (BY_VERB[git.verb]?.(git.rest) ?? []) : [];
  return settings ? [...own, 'changesGit'] : own;
}

function setsProgram(setting: string): boolean {
  return PROGRAM_SETTING.test(setting.split('=')[0] ?? '') || /^alias\.[^=]*=!/i.test(setting);
}

type Rule = (rest: Part) => readonly RiskKind[];

const always =
  (kind: RiskKind): Rule =>
  () => [kind];
const when =
  (kind: RiskKind, applies: (rest: Part) => boolean): Rule =>
  (rest) =>
    applies(rest) ? [kind] : [];
const isDry = (rest: Part): boolean => rest.has({ letters: 'n', long: ['dry-run'] });
const first = (rest: Part): string => rest.operands()[0] ?? '';
/** The analysis knows when files are overwritten whose changes are not committed. */
const overwrites = (rest: Part): boolean => rest.command.doubts.includes(DOUBT.changes);

const push: Rule = (rest) => {
  if (isDry(rest)) return [];
  const targets = rest.operands(/^(?:-o|--push-option|--repo|--exec|--receive-pack)$/);
  const forces = rest.has({ letters: 'f', valued: 'o', long: ['force', 'force-with-lease', 'mirror'] }) || targets.some((text) => text.startsWith('+'));
  const deletes = rest.has({ letters: 'd', valued: 'o', long: ['delete', 'prune'] }) || targets.some((text) => /^:./.test(text));
  return [...(forces ? ['forcesPush' as const] : []), ...(deletes ? ['deletesRemote' as const] : []), 'pushes'];
};

const restore: Rule = (rest) => {
  const onlyIndex = rest.has({ letters: 'S', valued: 's', long: ['staged'] }) && !rest.has({ letters: 'W', valued: 's', long: ['worktree'] });
  return onlyIndex || rest.operands().length === 0 ? [] : ['discardsChanges'];
};

const config: Rule = (rest) => {
  const reads = readsConfig(rest.command.words.slice(1).map((text) => ({ start: 0, end: 0, text, beginning: text ?? '', risk: 'none', glob: -1 })));
  const names = rest.operands();
  const alias = /^alias\./i.test(names[0] ?? '') && names[1]?.startsWith('!') === true;
  if (reads || (!alias && !names.some(setsProgram))) return [];
  return names.some((name) => /^core\.hookspath$/i.test(name)) ? ['changesHooks'] : ['changesGit'];
};

const BY_VERB: Readonly<Record<string, Rule>> = {
  push,
  restore,
  config,
  reset: when('discardsChanges', (rest) => rest.has({ long: ['hard', 'merge'] })),
  clean: when('discardsChanges', (rest) => rest.has({ letters: 'f', valued: 'e', long: ['force'] }) && !isDry(rest)),
  checkout: when('discardsChanges', (rest) => overwrites(rest) || rest.has({ letters: 'f', valued: 'bB', long: ['force'] })),
  switch: when('discardsChanges', (rest) => rest.has({ letters: 'f', valued: 'cC', long: ['force', 'discard-changes'] })),
  'checkout-index': when('discardsChanges', (rest) => rest.has({ letters: 'f', long: ['force'] })),
  'read-tree': when('discardsChanges', (rest) => rest.has({ letters: 'u', long: ['reset'] })),
  worktree: when('discardsChanges', (rest) => first(rest) === 'remove' && rest.has({ letters: 'f', long: ['force'] })),
  rm: when('deletesMany', (rest) => rest.has({ letters: 'r' }) && !rest.has({ long: ['cached'] }) && !isDry(rest)),
  branch: when(
    'deletesBranch',
    (rest) => rest.has({ letters: 'D' }) || (rest.has({ letters: 'd', long: ['delete'] }) && rest.has({ letters: 'f', long: ['force'] })),
  ),
  tag: when('deletesBranch', (rest) => rest.has({ letters: 'd', valued: 'mFu', long: ['delete'] })),
  stash: when('deletesBranch', (rest) => ['drop', 'clear'].includes(first(rest))),
  'update-ref': when('deletesBranch', (rest) => rest.has({ letters: 'd' })),
  reflog: when('deletesBranch', (rest) => ['expire', 'delete'].includes(first(rest))),
  gc: when('deletesBranch', (rest) => rest.has({ long: ['prune'] })),
  prune: when('deletesBranch', (rest) => !isDry(rest)),
  rebase: when('rewritesCommits', (rest) => !rest.options.some((text) => /^--(?:abort|continue|skip|quit|edit-todo|show-current-patch)$/.test(text))),
  commit: when('rewritesCommits', (rest) => rest.has({ long: ['amend'] })),
  'filter-branch': always('rewritesCommits'),
  'filter-repo': always('rewritesCommits'),
  replace: always('rewritesCommits'),
};
