// Runs the coding tasks: see main.ts for the arguments.
import { runBundled } from '../support/run-bundled.mjs';

process.exitCode = await runBundled('test/eval/main.ts', 'eval');
