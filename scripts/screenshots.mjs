// Makes the screenshots of the README, of the documentation and of every main state in each kind of theme, in the real VS Code.
// With `surface` those of every scene of the surface at each width (see test/e2e/screenshots-surface.ts); `editor` only those of the editor, `configuration` only those of what files configure, `terminal` only those of the program in a terminal.
import { packExtension, runBundled } from '../test/support/run-bundled.mjs';

const PARTS = ['screenshots', 'screenshots-agents', 'screenshots-editor', 'screenshots-configuration', 'screenshots-surface', 'screenshots-terminal'];
const [wanted = ''] = process.argv.slice(2);
packExtension();
process.exitCode = 0;
for (const part of PARTS.filter((each) => each.endsWith(wanted))) process.exitCode ||= await runBundled(`test/e2e/${part}.ts`, part);
