import * as vscode from 'vscode';

/** The decorations of changes that pend, in the colors of VS Code's own comparisons. */
export class ChangeLooks implements vscode.Disposable {
  private types = create();

  /** Lines that were added. */
  get added(): vscode.TextEditorDecorationType {
    return this.types.added;
  }

  /** Words of those that differ from what was there. */
  get words(): vscode.TextEditorDecorationType {
    return this.types.words;
  }

  /** Text that is gone; what is shown of it comes with each place. */
  get removed(): vscode.TextEditorDecorationType {
    return this.types.removed;
  }

  /** Where lines are gone and none came, which only the overview shows. */
  get gone(): vscode.TextEditorDecorationType {
    return this.types.gone;
  }

  /** Where the pointer finds out about a change; looks like nothing. */
  get asked(): vscode.TextEditorDecorationType {
    return this.types.asked;
  }

  /** Makes them anew, for another kind of theme. What was drawn goes away. */
  renew(): void {
    this.dispose();
    this.types = create();
  }

  dispose(): void {
    for (const type of Object.values(this.types)) type.dispose();
  }
}

/** How removed words look in front of those that replaced them. */
export function removedWords(contentText: string): vscode.DecorationInstanceRenderOptions {
  return { before: { contentText, textDecoration: 'line-through', ...removedText() } };
}

/** How a removed line looks to the right of the code. @param margin columns between them */
export function removedRow(contentText: string, margin: number): vscode.DecorationInstanceRenderOptions {
  return { after: { contentText, margin: `0 0 0 ${margin}ch`, ...removedText() } };
}

type Types = Readonly<Record<'added' | 'words' | 'removed' | 'gone' | 'asked', vscode.TextEditorDecorationType>>;

function create(): Types {
  const rangeBehavior = vscode.DecorationRangeBehavior.ClosedClosed;
  const overviewRulerLane = vscode.OverviewRulerLane.Left;
  const type = (options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType =>
    vscode.window.createTextEditorDecorationType({ rangeBehavior, ...options });
  const color = (name: string): vscode.ThemeColor => new vscode.ThemeColor(name);
  return {
    added: type({
      isWholeLine: true,
      backgroundColor: color('diffEditor.insertedLineBackground'),
      overviewRulerColor: color('editorOverviewRuler.addedForeground'),
      overviewRulerLane,
      ...edge('1px dashed', 'diffEditor.insertedTextBorder'),
    }),
    words: type({ backgroundColor: color('diffEditor.insertedTextBackground'), ...edge('1px solid', 'diffEditor.insertedTextBorder') }),
    removed: type({}),
    asked: type({}),
    gone: type({ overviewRulerColor: color('editorOverviewRuler.deletedForeground'), overviewRulerLane }),
  };
}

function removedText(): vscode.ThemableDecorationAttachmentRenderOptions {
  return { backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'), ...edge('1px dashed', 'diffEditor.removedTextBorder') };
}

/** Themes with high contrast have no background for what was added and removed. */
function edge(border: string, color: string): { readonly border?: string; readonly borderColor?: vscode.ThemeColor } {
  const { HighContrast, HighContrastLight } = vscode.ColorThemeKind;
  const { kind } = vscode.window.activeColorTheme;
  return kind === HighContrast || kind === HighContrastLight ? { border, borderColor: new vscode.ThemeColor(color) } : {};
}
