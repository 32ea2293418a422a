import * as vscode from 'vscode';

/** The proposal that a tab shows, if any: alone or as the right side of a comparison. */
export function shownIn(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

/**
 * Closes the tabs of some documents; those with unsaved text stay.
 * @returns whether one stayed.
 */
export async function closeTabs(isMeant: (uri: vscode.Uri) => boolean): Promise<boolean> {
  const meant = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter((tab) => {
      const uri = shownIn(tab);
      return uri !== undefined && isMeant(uri);
    });
  const clean = meant.filter(({ isDirty }) => !isDirty);
  if (clean.length > 0) await vscode.window.tabGroups.close(clean, true);
  return clean.length < meant.length;
}
