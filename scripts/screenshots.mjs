// Makes the pictures of the README, of the documentation and of every main state in each kind of theme, in the real VS Code.
import { runBundled } from '../test/support/run-bundled.mjs';

const PARTS = ['screenshots', 'screenshots-editor'];
const [wanted = ''] = process.argv.slice(2);
process.exitCode = 0;
for (const part of PARTS.filter((each) => each.endsWith(wanted))) process.exitCode ||= await runBundled(`test/e2e/${part}.ts`, part);
