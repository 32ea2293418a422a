/**
 * The official Agent SDK for TypeScript drives Gnomon’s program: each scenario over the real wire, with a model server on this machine.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { copyGrammar, headlessOptions } from '../../../scripts/headless-build.mjs';
import { ensureSuites } from '../install.mjs';
import { compareTypes } from './types.mjs';

const FOLDER = resolve('.bench/agent-sdk');
const BUNDLE = join(FOLDER, 'scenarios.mjs');

/** Kinds of messages that the scenarios have at least. */
const KINDS = 20;

/**
 * Runs the scenarios.
 * @param {object} wish
 * @param {number} wish.workers scenarios at a time
 * @param {string} [wish.only] a part of their names; all when there is none
 * @returns {Promise<readonly import('./main.js').Result[]>}
 */
export async function runAgentSdk({ workers, only = '' }) {
  const scenarios = { entryPoints: ['test/conformance/agent-sdk/main.ts'], outfile: BUNDLE, bundle: true, packages: /** @type {const} */ ('external') };
  const [{ agentSdk }] = await Promise.all([
    ensureSuites(),
    build({ ...scenarios, format: 'esm', platform: 'node', target: 'node20', logLevel: 'error' }),
    build(headlessOptions(FOLDER)),
    copyGrammar(FOLDER, false),
  ]);
  /** @type {typeof import('./main.js')} */
  const { runAll } = await import(pathToFileURL(BUNDLE).href);
  const sdk = await import(pathToFileURL(join(agentSdk, 'sdk.mjs')).href);
  const results = await runAll({ sdk, gnomon: join(FOLDER, 'headless', 'gnomon.js') }, { workers, only });
  if (only !== '') return results;
  const start = performance.now();
  const messages = results.flatMap(({ recorded }) => recorded);
  const { kinds, problems } = await compareTypes(messages, { agentSdk, folder: join(FOLDER, 'types') });
  const why = kinds < KINDS ? `There were only ${kinds} kinds of messages.` : problems;
  const compared = { name: `K-03 the types of the Agent SDK, for ${kinds} kinds of messages`, ms: performance.now() - start, recorded: [] };
  return [...results, why === '' ? { ...compared, passed: true } : { ...compared, passed: false, why }];
}
