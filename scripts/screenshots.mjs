// Makes the pictures of the README and of every main state in each kind of theme, in the real VS Code.
import { runBundled } from '../test/support/run-bundled.mjs';

process.exitCode = await runBundled('test/e2e/screenshots.ts', 'screenshots');
