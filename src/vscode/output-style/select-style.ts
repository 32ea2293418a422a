import * as vscode from 'vscode';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import type { OutputStyles } from '../../customization/styles.js';

/** Milliseconds for which the choice is confirmed in the status bar. */
const TOLD_MS = 10_000;

type Item = vscode.QuickPickItem & { readonly name?: string };

/** Lets the user choose the output style of all chats. */
export async function selectOutputStyle(styles: OutputStyles): Promise<void> {
  await styles.read();
  const chosen = (await styles.chosen())?.name;
  const mark = (isChosen: boolean): string => (isChosen ? '$(check) ' : '');
  const items: readonly Item[] = [
    { label: `${mark(chosen === undefined)}${t('None')}`, detail: t('Gnomon answers as usual.'), name: '' },
    ...styles.styles.map(({ name, description, origin }): Item => ({
      label: `${mark(name === chosen)}${escapeHidden(name)}`,
      description: escapeHidden(origin.display),
      detail: escapeHidden(description),
      name,
    })),
    ...styles.problems.map(({ message, file }): Item => ({
      label: `$(warning) ${escapeHidden(message)}`,
      description: escapeHidden(vscode.workspace.asRelativePath(file)),
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Output Style'),
    placeHolder:
      styles.styles.length === 0
        ? t('There are none. They are read from .claude/output-styles and .gnomon/output-styles, here and in your home folder.')
        : t('Select how answers are written from the next message on'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.name === undefined) return;
  await vscode.workspace.getConfiguration('gnomon').update('outputStyle', picked.name === '' ? undefined : picked.name, vscode.ConfigurationTarget.Global);
  const decided = await styles.decided();
  if (decided?.by.file !== undefined && decided.style?.name !== (picked.name === '' ? undefined : picked.name)) {
    await vscodeDialogs.notify(
      'warning',
      decided.style === undefined
        ? t('Your choice is saved, but does not count here: {0} sets that there is no output style.', escapeHidden(decided.by.file))
        : t('Your choice is saved, but does not count here: {0} sets the output style “{1}”.', escapeHidden(decided.by.file), escapeHidden(decided.style.name)),
    );
    return;
  }
  vscode.window.setStatusBarMessage(
    picked.name === ''
      ? t('Gnomon answers as usual from the next message on.')
      : t('Gnomon answers in the style “{0}” from the next message on.', escapeHidden(picked.name)),
    TOLD_MS,
  );
}
