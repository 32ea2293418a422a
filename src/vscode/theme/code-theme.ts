import * as vscode from 'vscode';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import type { CodeColors } from '../../protocol/code-kinds.js';
import { activeThemeFile, THEME_SETTINGS } from './active-theme.js';

/** The colours that the person's theme gives to code, read from the theme's files. */
export class CodeTheme implements vscode.Disposable {
  private readonly log: Log;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly watching: vscode.Disposable;
  private colors: Promise<CodeColors> | undefined;

  /** Fires when another theme is shown. */
  readonly onDidChange = this.changed.event;

  constructor(log: Log) {
    this.log = log;
    this.watching = vscode.Disposable.from(
      vscode.window.onDidChangeActiveColorTheme(() => this.another()),
      // VS Code shows another theme before its settings name it.
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (THEME_SETTINGS.some((setting) => event.affectsConfiguration(setting))) this.another();
      }),
    );
  }

  /** The colours of now; none where they cannot be told. Does not reject. */
  current(): Promise<CodeColors> {
    this.colors ??= this.read();
    return this.colors;
  }

  dispose(): void {
    this.watching.dispose();
    this.changed.dispose();
  }

  private another(): void {
    this.colors = undefined;
    this.changed.fire();
  }

  private async read(): Promise<CodeColors> {
    const file = activeThemeFile();
    if (file === undefined) return {};
    try {
      const { colorsOfTheme } = await import('./theme-files.js');
      return await colorsOfTheme(file.path, async (path) => new TextDecoder().decode(await vscode.workspace.fs.readFile(file.with({ path }))));
    } catch (error) {
      this.log.warn(`The colours of code could not be read from the theme: ${errorMessage(error)}`);
      return {};
    }
  }
}
