import * as vscode from 'vscode';
import { entryTokens, type SkillShowing } from '../../config/skills/catalog.js';
import type { ChosenSkill } from '../../config/skills/choose.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { escapeHidden, showUnseen } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { headOf } from '../../text/show.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import type { SkillsFound, WindowSkills } from './window-skills.js';

/** Characters of a description in the list, and in a dialog. */
const MAX_LISTED = 200;
const MAX_DETAIL = 1_500;
/** Fields and other skills that a dialog names. */
const MAX_LINES = 20;

/** What an item of the list is about. */
type Item = vscode.QuickPickItem & { readonly chosen?: ChosenSkill; readonly place?: { readonly file: string; readonly line?: number | undefined } };

/** Lists all skills, with what models are told of them and what is wrong with their files, until the user closes the list. */
export async function showSkills(skills: WindowSkills, trusted: () => boolean): Promise<void> {
  for (;;) {
    await skills.ready();
    const { found } = skills;
    const picked = await vscode.window.showQuickPick(itemsOf(found, { pinned: skills.pinned, trusted: trusted() }), { title: titleOf(found), placeHolder: t('Select a skill to see its details'), matchOnDescription: true, matchOnDetail: true });
    if (picked?.place !== undefined) return open(picked.place.file, picked.place.line);
    if (picked?.chosen === undefined) return;
    if (await showSkill(skills, picked.chosen)) return;
  }
}

/** Shows all of a skill. Returns whether the list is to be closed. */
async function showSkill(skills: WindowSkills, chosen: ChosenSkill): Promise<boolean> {
  const { skill, qualifiedName } = chosen;
  const openFile = t('Open File');
  const isPinned = skills.pinned.has(qualifiedName);
  const pin = isPinned ? t('Unpin') : t('Pin');
  const answer = await vscodeDialogs.modal(t('The skill {0}', chosen.name), detailOf(chosen, skills.found.plan.showing.get(qualifiedName)), openFile, ...(skill.modelInvocable ? [pin] : []));
  if (answer === openFile) {
    await open(skill.origin.file, skill.origin.line);
    return true;
  }
  if (answer === pin) await skills.pin(chosen, !isPinned);
  return false;
}

/** How much of the skills models are told, which nobody could see otherwise. */
function titleOf({ plan }: SkillsFound): string {
  const named = [...plan.showing.values()].filter((state) => state === 'named').length;
  return named + plan.unlisted === 0 ? t('Skills') : t('Skills: models know {0} by name only, and {1} not at all', formatNumber(named), formatNumber(plan.unlisted));
}

function itemsOf({ choice, plan, skipped, problems }: SkillsFound, { pinned, trusted }: { readonly pinned: ReadonlySet<string>; readonly trusted: boolean }): readonly Item[] {
  const items = choice.skills.map((chosen): Item => {
    const { name, qualifiedName, skill } = chosen;
    const state = showingText(plan.showing.get(qualifiedName));
    return { label: `$(${pinned.has(qualifiedName) ? 'pinned' : 'book'}) ${name}`, description: `${state} · ${escapeHidden(skill.origin.display)}`, detail: escapeHidden(headOf(skill.description, MAX_LISTED)), chosen };
  });
  const untrusted: readonly Item[] = trusted ? [] : [{ label: `$(shield) ${t('Skills of this workspace are used only after you have trusted it.')}` }];
  const skippedItems = skipped.map(({ place, why }): Item => ({ label: `$(circle-slash) ${escapeHidden(place.origin.display)}`, description: t('Not used'), detail: escapeHidden(why), place: { file: place.origin.file, line: lineOf(problems, place.origin.file) } }));
  const others = problems.filter(({ file, message }) => !skipped.some(({ place, why }) => place.origin.file === file && why === message));
  const heading: readonly Item[] = skippedItems.length + others.length === 0 ? [] : [{ label: t('Problems'), kind: vscode.QuickPickItemKind.Separator }];
  const all = [...untrusted, ...items, ...heading, ...skippedItems, ...others.map(problemItem)];
  return all.length === 0 ? [{ label: t('There are no skills.'), detail: t('They are read from {0} in the workspace and in your home folder.', '.agents/skills, .claude/skills, .gnomon/skills') }] : all;
}

function problemItem({ file, line, key, message, harmless }: ConfigProblem): Item {
  return { label: `$(${harmless === true ? 'info' : 'warning'}) ${escapeHidden(message)}`, description: `${file}${line === undefined ? '' : `:${line}`}`, detail: key, place: { file, line } };
}

function lineOf(problems: readonly ConfigProblem[], path: string): number | undefined {
  return problems.find(({ file }) => file === path)?.line;
}

/** How much models know of a skill, in words. */
export function showingText(state: SkillShowing | undefined): string {
  switch (state) {
    case 'described':
      return t('Models know it');
    case 'named':
      return t('Models know only its name');
    case 'unlisted':
      return t('Models do not know it: there are too many');
    default:
      return t('Only you can activate it');
  }
}

function detailOf(chosen: ChosenSkill, state: SkillShowing | undefined): string {
  const { skill, overridden } = chosen;
  const fields = skill.fields.filter((field) => field.state !== 'used').map(({ field, note = '' }) => `${field}: ${note}`);
  return [
    showUnseen(headOf(skill.description, MAX_DETAIL)),
    '',
    escapeHidden(skill.origin.file),
    `${showingText(state)}. ${t('In the list for models it takes about {0} tokens.', formatNumber(entryTokens(chosen)))}`,
    ...(overridden.length === 0 ? [] : ['', ...overridden.slice(0, MAX_LINES).map(({ origin, why }) => `${escapeHidden(origin.display)}: ${escapeHidden(why)}`)]),
    ...(fields.length === 0 ? [] : ['', t('Fields that are not used:'), ...fields.slice(0, MAX_LINES).map((line) => escapeHidden(line))]),
  ].join('\n');
}

async function open(file: string, line = 1): Promise<void> {
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(position, position) });
}
