import { present } from '../../domain/present.js';
import * as vscode from 'vscode';
import { showUnseen } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import { headOf } from '../../text/show.js';
import type { EditorTool, EditorTools } from './editor-tools.js';

/** Characters of a description in the list. */
const MAX_DETAIL = 200;

interface Item extends vscode.QuickPickItem {
  readonly tool: EditorTool;
}

/** Lets the user choose which tools of VS Code and other extensions models get. */
export async function chooseEditorTools(tools: EditorTools): Promise<void> {
  const listed = tools.list();
  if (listed.length === 0) {
    await vscode.window.showInformationMessage(t('VS Code and its extensions offer no tools at the moment.'));
    return;
  }
  const items = listed.map(itemOf);
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: t('Choose Tools of Other Extensions'),
    placeHolder: t('Models get the tools that you choose; each call asks.'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  // What cannot be used is not chosen by being left as it is.
  await tools.choose(
    listed.map((tool) => tool.listed),
    chosen.filter(({ tool }) => tool.problem === undefined).map(({ tool }) => tool.listed),
  );
}

function itemOf(tool: EditorTool): Item {
  const { listed, choice, problem } = tool;
  const words = listed.description.trim().replace(/\s+/g, ' ');
  const note = problem ?? (choice === 'changed' ? t('It has changed since you chose it.') : undefined);
  return {
    label: plain(listed.name),
    ...present({ description: note }),
    detail: plain(headOf(words, MAX_DETAIL)) + (words.length > MAX_DETAIL ? '…' : ''),
    picked: choice === 'on' && problem === undefined,
    tool,
  };
}

/** A text of a stranger without hidden characters, and without what VS Code would show as an icon. */
function plain(text: string): string {
  return showUnseen(text).replaceAll('$(', '$ (');
}
