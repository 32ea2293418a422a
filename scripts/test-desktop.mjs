/**
 * Runs the integration suites in desktop VS Code: `npm run test:desktop`. Ends with the line "N passed, N failed".
 */
import { join } from 'node:path';
import { runDesktop } from '../test/vscode/run-desktop.mjs';
import { copySampleWorkspace } from '../test/vscode/sample-workspace.mjs';
import { run } from './run.mjs';

await run('node', ['esbuild.mjs', '--tests']);
const { folder: workspace, remove } = await copySampleWorkspace();
try {
  const testsPath = join(process.cwd(), 'dist-test', 'integration', 'index.js');
  const { passed, failed } = await runDesktop({
    extensionPath: process.cwd(),
    others: ['model-extension', 'api-extension', 'tools-extension'].map((name) => join(process.cwd(), 'test/fixtures', name)),
    testsPath,
    workspace,
  });
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
} finally {
  await remove();
}
