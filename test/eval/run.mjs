// Measures how well Gnomon works with a model: see docs/evaluation.md, or --help for the arguments.
import { runBundled } from '../support/run-bundled.mjs';

process.exitCode = await runBundled('test/eval/main.ts', 'eval');
