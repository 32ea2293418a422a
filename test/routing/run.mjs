// Simulates how models are chosen: see README.md here. The first argument is the number of seeds.
import { runBundled } from '../support/run-bundled.mjs';

process.exitCode = await runBundled('test/routing/main.ts', 'routing');
