import { runSuites } from '../../vscode/mocha-run.js';

/** What VS Code calls in its extension host. */
export function run(): Promise<void> {
  return runSuites(async () => {
    await import('./changes.js');
    await import('./inline-edit.js');
    await import('./suggestions.js');
  });
}
