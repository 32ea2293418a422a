import { runSuites } from '../vscode/mocha-run.js';

/** What VS Code calls in its extension host. */
export function run(): Promise<void> {
  return runSuites(async () => {
    await import('./extension.test.js');
    await import('./workspace.test.js');
    await import('./moved-files.test.js');
    await import('./language.test.js');
    await import('./lm.test.js');
    await import('./models.test.js');
    await import('./keys.test.js');
    await import('./review.test.js');
    await import('./restore.test.js');
    await import('./merge.test.js');
    await import('./shown-changes.test.js');
    await import('./proposal.test.js');
    await import('./permission.test.js');
    await import('./approvals.test.js');
    await import('./settings.test.js');
    await import('./api.test.js');
    await import('./mcp.test.js');
    await import('./editor-tools.test.js');
    await import('./publish.test.js');
    await import('./asking.test.js');
    await import('./terminal.test.js');
    await import('./checks.test.js');
  });
}
