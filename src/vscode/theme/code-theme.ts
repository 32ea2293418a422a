import * as vscode from 'vscode';
import { Signal } from '../../concurrency/signal.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import type { ThemeColors } from '../../chat/ports.js';
import type { CodeColors } from '../../protocol/code-kinds.js';

/** The colors that the user's theme gives to code, read from the theme's files. */
export class CodeTheme implements ThemeColors, vscode.Disposable {
  private readonly changed = new Signal();
  private readonly watching: vscode.Disposable;
  private colors: Promise<CodeColors> | undefined;

  /** Fires when another theme is shown. */
  readonly onDidChange = this.changed.subscribe;

  constructor(private readonly log: Log) {
    this.watching = vscode.Disposable.from(
      vscode.window.onDidChangeActiveColorTheme(() => this.another()),
      // VS Code shows another theme before its settings name it.
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (THEME_SETTINGS.some((setting) => event.affectsConfiguration(setting))) this.another();
      }),
    );
  }

  /** The current colors; none where they cannot be determined. Does not reject. */
  current(): Promise<CodeColors> {
    this.colors ??= this.read();
    return this.colors;
  }

  dispose(): void {
    this.watching.dispose();
    this.changed.clear();
  }

  private another(): void {
    this.colors = undefined;
    this.changed.emit();
  }

  private async read(): Promise<CodeColors> {
    const file = activeThemeFile();
    if (file === undefined) return {};
    try {
      const { colorsOfTheme } = await import('./theme-files.js');
      return await colorsOfTheme(file.path, async (path) => new TextDecoder().decode(await vscode.workspace.fs.readFile(file.with({ path }))));
    } catch (error) {
      this.log.warn(`The colors of code could not be read from the theme: ${errorMessage(error)}`);
      return {};
    }
  }
}

/** A theme in the manifest of an extension. */
interface ContributedTheme {
  readonly id?: unknown;
  readonly label?: unknown;
  readonly uiTheme?: unknown;
  readonly path?: unknown;
}

/** Names of the kinds of themes in manifests. */
const UI_THEMES: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [vscode.ColorThemeKind.Light]: 'vs',
  [vscode.ColorThemeKind.Dark]: 'vs-dark',
  [vscode.ColorThemeKind.HighContrast]: 'hc-black',
  [vscode.ColorThemeKind.HighContrastLight]: 'hc-light',
};

/** The settings that name a theme for each kind, when VS Code chooses by what the system wants. */
const PREFERRED: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [vscode.ColorThemeKind.Light]: 'preferredLightColorTheme',
  [vscode.ColorThemeKind.Dark]: 'preferredDarkColorTheme',
  [vscode.ColorThemeKind.HighContrast]: 'preferredHighContrastColorTheme',
  [vscode.ColorThemeKind.HighContrastLight]: 'preferredHighContrastLightColorTheme',
};

/** The settings that say which theme is shown. */
const THEME_SETTINGS: readonly string[] = [
  'workbench.colorTheme',
  'window.autoDetectColorScheme',
  ...Object.values(PREFERRED).map((name) => `workbench.${name}`),
];

/**
 * The file of the theme that VS Code shows; `undefined` when it cannot be found out. VS Code does not say which one it is, so it is
 * the one of the right kind that the settings name.
 */
function activeThemeFile(): vscode.Uri | undefined {
  const { kind } = vscode.window.activeColorTheme;
  const config = vscode.workspace.getConfiguration();
  const own = config.get<string>('workbench.colorTheme');
  const preferred = config.get<string>(`workbench.${PREFERRED[kind]}`);
  const isDetected =
    kind === vscode.ColorThemeKind.HighContrast ||
    kind === vscode.ColorThemeKind.HighContrastLight ||
    config.get<boolean>('window.autoDetectColorScheme') === true;
  const names = isDetected ? [preferred, own] : [own, preferred];
  const themes = contributedThemes(UI_THEMES[kind]);
  return names.map((name) => themes.find((theme) => theme.name === plainName(name))?.file).find((file) => file !== undefined);
}

/** VS Code has dropped a word from the names of its own themes, and takes both. */
function plainName(name: unknown): string | undefined {
  return typeof name === 'string' ? name.replace(/^Default (?=Dark|Light)/, '') : undefined;
}

function contributedThemes(uiTheme: string): readonly { readonly name: string | undefined; readonly file: vscode.Uri }[] {
  return vscode.extensions.all.flatMap(({ packageJSON, extensionUri }) => {
    const { contributes } = packageJSON as { readonly contributes?: { readonly themes?: unknown } };
    const themes: readonly ContributedTheme[] = Array.isArray(contributes?.themes) ? contributes.themes : [];
    return themes.flatMap(({ id, label, uiTheme: kind, path }) =>
      kind === uiTheme && typeof path === 'string' ? [{ name: plainName(id ?? label), file: vscode.Uri.joinPath(extensionUri, path) }] : [],
    );
  });
}
