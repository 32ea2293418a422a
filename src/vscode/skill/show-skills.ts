import * as vscode from 'vscode';
import { entryTokens, type SkillShowing } from '../../config/skills/catalog.js';
import type { ChosenSkill } from '../../config/skills/choose.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { escapeHidden, showUnseen } from '../../domain/hidden-characters.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { headOf } from '../../text/show.js';
import type { TurnGrant } from '../../domain/tool/turn-grant.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import type { CommandFiles } from '../../customization/commands.js';
import { grantStateText } from '../../consent/grant-labels.js';
import { reviewGrant } from '../../consent/review-grant.js';
import type { TurnGrants } from '../../consent/turn-grants.js';
import type { SkillsFound, Skills } from '../../customization/skills.js';

/** Characters of a description in the list, and in a dialog. */
const MAX_LISTED = 200;
const MAX_DETAIL = 1_500;
/** Fields and other skills that a dialog names. */
const MAX_LINES = 20;

/** List item of a skill or command. */
type Item = vscode.QuickPickItem & {
  readonly chosen?: ChosenSkill;
  readonly grant?: TurnGrant;
  readonly place?: { readonly file: string; readonly line?: number | undefined };
};

/** The skills and command files to list, and the tool permissions that they have been granted. */
export interface ShowSkillsDeps {
  readonly skills: Skills;
  /** The commands of files, which can name tools as well. */
  readonly commands: CommandFiles;
  readonly grants: TurnGrants;
  readonly trusted: () => boolean;
}

/**
 * Lists all skills with their listing for models, the problems in their files, and the tool permissions of skills and commands,
 * until the user closes the list.
 */
export async function showSkills(deps: ShowSkillsDeps): Promise<void> {
  const { skills, grants } = deps;
  for (;;) {
    await Promise.all([skills.ready(), deps.commands.read()]);
    const { found } = skills;
    const picked = await vscode.window.showQuickPick(await allItems(deps), {
      title: titleOf(found),
      placeHolder: t('Select a skill to see its details'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (picked?.place !== undefined) return open(picked.place.file, picked.place.line);
    if (picked?.grant !== undefined) await reviewGrant(picked.grant, { grants, dialogs: vscodeDialogs });
    else if (picked?.chosen === undefined || (await showSkill(deps, picked.chosen))) return;
  }
}

/** Shows all of a skill. Returns whether the list is to be closed. */
async function showSkill({ skills, grants }: ShowSkillsDeps, chosen: ChosenSkill): Promise<boolean> {
  const { skill, qualifiedName } = chosen;
  const openFile = t('Open File');
  const isPinned = skills.pinned.has(qualifiedName);
  const pin = isPinned ? t('Unpin') : t('Pin');
  const review = t('Review Tools…');
  const grant = skills.found.grants.get(skill.origin.file);
  const answer = await vscodeDialogs.modal(
    t('The skill {0}', chosen.name),
    detailOf(chosen, skills.found.plan.showing.get(qualifiedName)),
    ...(grant === undefined ? [] : [review]),
    openFile,
    ...(skill.modelInvocable ? [pin] : []),
  );
  if (answer === review && grant !== undefined) await reviewGrant(grant, { grants, dialogs: vscodeDialogs });
  if (answer === openFile) {
    await open(skill.origin.file, skill.origin.line);
    return true;
  }
  if (answer === pin) await skills.pin(chosen, !isPinned);
  return false;
}

/** Title of the list, with how many skills are listed for models, which is visible nowhere else. */
function titleOf({ plan }: SkillsFound): string {
  const named = [...plan.showing.values()].filter((state) => state === 'named').length;
  return named + plan.unlisted === 0
    ? t('Skills')
    : t('Skills: models know {0} by name only, and {1} not at all', formatNumber(named), formatNumber(plan.unlisted));
}

/** Skills, and the commands that name tools. */
async function allItems({ skills, commands, grants, trusted }: ShowSkillsDeps): Promise<readonly Item[]> {
  const { found, pinned } = skills;
  const ofSkills = await Promise.all([...found.grants].map(async ([file, grant]) => [file, grantStateText(await grants.stateOf(grant))] as const));
  const ofCommands = await Promise.all(
    commands.commands.map(async (command): Promise<readonly Item[]> => {
      const grant = commands.grantOf(command);
      return grant === undefined
        ? []
        : [
            {
              label: `$(terminal) /${command.name}`,
              description: describe(grantStateText(await grants.stateOf(grant)), command.origin.display),
              detail: escapeHidden(headOf(command.description, MAX_LISTED)),
              grant,
            },
          ];
    }),
  );
  const own = ofCommands.flat();
  const heading: readonly Item[] = own.length === 0 ? [] : [{ label: t('Commands that name tools to allow'), kind: vscode.QuickPickItemKind.Separator }];
  return [...itemsOf(found, { pinned, trusted: trusted(), states: new Map(ofSkills) }), ...heading, ...own];
}

function describe(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => escapeHidden(part))
    .join(' · ');
}

function itemsOf(
  { choice, plan, skipped, problems }: SkillsFound,
  { pinned, trusted, states }: { readonly pinned: ReadonlySet<string>; readonly trusted: boolean; readonly states: ReadonlyMap<string, string> },
): readonly Item[] {
  const items = choice.skills.map((chosen): Item => {
    const { name, qualifiedName, skill } = chosen;
    const state = showingText(plan.showing.get(qualifiedName));
    return {
      label: `$(${pinned.has(qualifiedName) ? 'pinned' : 'book'}) ${name}`,
      description: describe(state, states.get(skill.origin.file) ?? '', skill.origin.display),
      detail: escapeHidden(headOf(skill.description, MAX_LISTED)),
      chosen,
    };
  });
  const untrusted: readonly Item[] = trusted ? [] : [{ label: `$(shield) ${t('Skills of this workspace are used only after you have trusted it.')}` }];
  const skippedItems = skipped.map(({ place, why }): Item => ({
    label: `$(circle-slash) ${escapeHidden(place.origin.display)}`,
    description: t('Not used'),
    detail: escapeHidden(why),
    place: { file: place.origin.file, line: lineOf(problems, place.origin.file) },
  }));
  const others = problems.filter(({ file, message }) => !skipped.some(({ place, why }) => place.origin.file === file && why === message));
  const heading: readonly Item[] = skippedItems.length + others.length === 0 ? [] : [{ label: t('Problems'), kind: vscode.QuickPickItemKind.Separator }];
  const all = [...untrusted, ...items, ...heading, ...skippedItems, ...others.map(problemItem)];
  return all.length === 0
    ? [
        {
          label: t('There are no skills.'),
          detail: t('They are read from {0} in the workspace and in your home folder.', '.agents/skills, .claude/skills, .gnomon/skills'),
        },
      ]
    : all;
}

function problemItem({ file, line, key, message, harmless }: ConfigProblem): Item {
  return {
    label: `$(${harmless === true ? 'info' : 'warning'}) ${escapeHidden(message)}`,
    description: `${file}${line === undefined ? '' : `:${line}`}`,
    detail: key,
    place: { file, line },
  };
}

function lineOf(problems: readonly ConfigProblem[], path: string): number | undefined {
  return problems.find(({ file }) => file === path)?.line;
}

/** Label for how a skill is listed for models. */
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
    ...(overridden.length === 0
      ? []
      : ['', ...overridden.slice(0, MAX_LINES).map(({ origin, why }) => `${escapeHidden(origin.display)}: ${escapeHidden(why)}`)]),
    ...(fields.length === 0 ? [] : ['', t('Fields that are not used:'), ...fields.slice(0, MAX_LINES).map((line) => escapeHidden(line))]),
  ].join('\n');
}

async function open(file: string, line = 1): Promise<void> {
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(position, position) });
}
