import * as vscode from 'vscode';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { RuleScope } from '../../domain/tool/denial.js';
import type { RuleEffect } from '../../domain/tool/permission.js';
import type { TurnGrant } from '../../domain/tool/turn-grant.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { reviewGrant } from '../../consent/review-grant.js';
import type { ApprovedModels } from '../../consent/model-uses.js';
import type { TurnGrants } from '../../consent/turn-grants.js';
import type { ConsentPrompt } from '../../consent/rules/consent-prompt.js';
import { LOCAL_SETTINGS } from '../../node/config/place-table.js';
import { openRuleSettings } from './rules/vscode-rule-settings.js';
import { type PermissionAct, type PermissionItem, permissionItems } from '../../consent/permission-items.js';
import type { SessionRules } from '../../permission/rules/session-rules.js';
import type { RuleCheck } from '../../consent/rules/rule-entries.js';
import { canBeChanged } from '../../consent/rules/rule-source.js';
import type { SettingsRuleBook } from '../../consent/rules/settings-rule-book.js';

/** Dependencies of “Manage Permissions”. */
export interface ManageDeps {
  readonly book: SettingsRuleBook;
  readonly consent: ConsentPrompt;
  readonly check: RuleCheck;
  readonly grants: TurnGrants;
  readonly modelUses: Pick<ApprovedModels, 'all' | 'revoke'>;
  /** The rules of the conversation that is shown, and what its turn names. */
  readonly session: { readonly id: string; readonly rules: SessionRules; readonly grants: readonly TurnGrant[] };
}

type Item = vscode.QuickPickItem & { readonly act: PermissionAct };

function effectItems(): readonly (vscode.QuickPickItem & { readonly effect: RuleEffect })[] {
  return [
    { label: t('Allow'), description: t('Runs without asking'), effect: 'allow' },
    { label: t('Ask'), description: t('Asks in every mode'), effect: 'ask' },
    { label: t('Deny'), description: t('Denied in every mode'), effect: 'deny' },
  ];
}

function placeItems(): readonly (vscode.QuickPickItem & { readonly scope: Exclude<RuleScope, 'session'> })[] {
  return [
    { label: t('User Settings'), description: t('For all your workspaces'), scope: 'user' },
    { label: t('This Workspace, Only You'), description: LOCAL_SETTINGS, scope: 'local' },
    { label: t('Workspace Settings'), description: t('For everyone who uses this workspace'), scope: 'workspace' },
  ];
}

/** Lists every rule of the settings and of the conversation that is shown, and lets the user remove one, add one, and decide about those that wait. */
export async function managePermissions(deps: ManageDeps): Promise<void> {
  for (;;) {
    const act = await choose(deps);
    if (act === undefined) return;
    try {
      if (!(await carryOut(act, deps))) return;
    } catch (error) {
      await vscode.window.showErrorMessage(errorMessage(error));
    }
  }
}

/** Carries out what was chosen. Resolves to whether the list is shown again. */
async function carryOut(act: PermissionAct, { book, consent, check, grants, modelUses, session }: ManageDeps): Promise<boolean> {
  switch (act.type) {
    case 'add':
      await addRule(book, check);
      return true;
    case 'review':
      await consent.review(act.list);
      return true;
    case 'rule':
      await book.remove(act.entry);
      return true;
    case 'session_rule':
      session.rules.remove(session.id, act.text, act.effect);
      return true;
    case 'model_use':
      await modelUses.revoke(act.uses);
      return true;
    case 'grant':
      await reviewGrant(act.grant, { grants, dialogs: vscodeDialogs });
      return true;
    case 'open_settings':
      await openRuleSettings();
      return false;
    default:
      return true;
  }
}

/** Shows the list. A rule is only removed by its button. */
async function choose({ book, grants, modelUses, session }: ManageDeps): Promise<PermissionAct | undefined> {
  const approved = await Promise.all(session.grants.map(async (grant) => ((await grants.approved(grant)) ? [grant] : [])));
  const pick = vscode.window.createQuickPick<Item>();
  Object.assign(pick, {
    title: t('Permissions'),
    placeholder: t('Rules from settings, strongest first, and from this chat'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  pick.items = permissionItems(book.listing(), { rules: session.rules.of(session.id), grants: approved.flat(), uses: modelUses.all }).map(asItem);
  return new Promise<PermissionAct | undefined>((resolve) => {
    pick.onDidAccept(() => {
      const act = pick.selectedItems[0]?.act;
      if (act !== undefined && !isRule(act) && act.type !== 'none') resolve(act);
    });
    pick.onDidTriggerItemButton(({ item }) => resolve(item.act));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}

function asItem({ heading, ...item }: PermissionItem): Item {
  if (heading === true) return { ...item, kind: vscode.QuickPickItemKind.Separator };
  return {
    ...item,
    alwaysShow: !isRule(item.act),
    ...(canRemove(item.act) ? { buttons: [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Remove Rule') }] } : {}),
  };
}

function isRule({ type }: PermissionAct): boolean {
  return type === 'rule' || type === 'session_rule' || type === 'model_use';
}

function canRemove(act: PermissionAct): boolean {
  return act.type === 'session_rule' || act.type === 'model_use' || (act.type === 'rule' && canBeChanged(act.entry.source, act.entry.written));
}

async function addRule(book: SettingsRuleBook, check: RuleCheck): Promise<void> {
  const kind = await vscode.window.showQuickPick(effectItems(), { title: t('Add Rule (1/3)'), placeHolder: t('Select what the rule does') });
  if (kind === undefined) return;
  const places = vscode.workspace.workspaceFolders === undefined || !vscode.workspace.isTrusted ? placeItems().slice(0, 1) : placeItems();
  const place = await vscode.window.showQuickPick(places, { title: t('Add Rule (2/3)'), placeHolder: t('Select where to save the rule') });
  if (place === undefined) return;
  const { effect } = kind;
  const { scope } = place;
  const text = await vscode.window.showInputBox({
    title: t('Add Rule (3/3)'),
    prompt: t('Enter a rule, such as Bash(npm test:*), Edit(src/**), Read(~/.ssh/**), or WebFetch(domain:example.com)'),
    ignoreFocusOut: true,
    validateInput: (value) => (value === '' ? undefined : check([{ effect, text: value, scope }])[0]),
  });
  if (text !== undefined && text !== '') await book.insert(effect, [text], scope);
}
