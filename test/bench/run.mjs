// Measures the figures of the product and prints them: a table, or with --json one object
// {name: {value, unit, goal, holds}}. Names given as arguments limit it to those groups (see main.ts).
import { packExtension, runBundled } from '../support/run-bundled.mjs';

packExtension();
process.exitCode = await runBundled('test/bench/main.ts', 'bench');
