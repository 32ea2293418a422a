import { runSuites } from '../vscode/mocha-run.js';

/** What VS Code calls in its extension host for a workspace of two folders. */
export function run(): Promise<void> {
  return runSuites(async () => {
    await import('./workspace-multi-root.test.js');
    await import('./permission-multi-root.test.js');
  });
}
