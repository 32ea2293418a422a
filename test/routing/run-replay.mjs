// Decides again about stored decisions: see README.md here.
import { runBundled } from '../support/run-bundled.mjs';

process.exitCode = await runBundled('test/routing/replay-main.ts', 'replay-routing');
