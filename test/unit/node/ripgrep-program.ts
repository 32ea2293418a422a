import { rgPath } from '@vscode/ripgrep';

/** The ripgrep of npm's platform package, the same program that VS Code ships. */
export function ripgrepProgram(): string {
  return rgPath;
}
