// Runs every check and every suite: types, lint, dependency rule, unused code, unit, integration,
// the panel in a browser, end-to-end.
// Arguments limit it to the stages named. Ends with the line "N passed, N failed".
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runIntegration } from '../test/vscode/run-integration.mjs';
import { copySampleWorkspace } from '../test/vscode/sample-workspace.mjs';
import { exitCode, run } from './run.mjs';

/** @typedef {{ passed: number, failed: number }} Counts */

/** @type {Record<string, () => Promise<Counts>>} */
const stages = {
  types: () => check('check:types'),
  lint: () => check('check:lint'),
  deps: () => check('check:deps'),
  unused: () => check('check:unused'),
  unit: () => vitest('unit'),
  integration,
  panel: async () => {
    await run('node', ['esbuild.mjs', '--production']);
    return vitest('panel');
  },
  e2e: async () => {
    await run('node', ['scripts/package.mjs']);
    return vitest('e2e');
  },
};

/**
 * Runs a script of package.json, one program after the other, without npm's own output.
 * @param {string} script
 * @returns {Promise<Counts>}
 */
async function check(script) {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  for (const command of scripts[script].split(' && ')) {
    const [program, ...args] = command.split(' ');
    if ((await exitCode(program, args)) !== 0) return { passed: 0, failed: 1 };
  }
  return { passed: 1, failed: 0 };
}

/** @param {string} project @returns {Promise<Counts>} */
async function vitest(project) {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-vitest-'));
  const outputFile = join(folder, 'results.json');
  try {
    const code = await exitCode('vitest', ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`]);
    const { numPassedTests, numFailedTests } = JSON.parse(await readFile(outputFile, 'utf8'));
    // A suite that does not load fails no test.
    return { passed: numPassedTests, failed: code === 0 ? numFailedTests : Math.max(1, numFailedTests) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<Counts>} */
async function integration() {
  await run('node', ['esbuild.mjs', '--tests']);
  const workspace = await copySampleWorkspace();
  try {
    const one = await inHost('index', workspace.folder);
    const two = await inHost('index-multi-root', await twoFolders(workspace.folder));
    return { passed: one.passed + two.passed, failed: one.failed + two.failed };
  } finally {
    await workspace.remove();
  }
}

/** @param {string} suite @param {string} workspace @returns {Promise<Counts>} */
function inHost(suite, workspace) {
  const testsPath = join(process.cwd(), 'dist-test/integration', `${suite}.js`);
  return runIntegration({ extensionPath: process.cwd(), others: ['model-extension', 'api-extension'].map((name) => join(process.cwd(), 'test/fixtures', name)), testsPath, workspace });
}

/**
 * Makes a workspace of two folders that have files of the same name.
 * @param {string} folder a folder of the test's own
 * @returns {Promise<string>} the workspace file
 */
async function twoFolders(folder) {
  const names = ['one', 'two'];
  for (const name of names) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'same.txt'), `${name}\n`);
  }
  const file = join(folder, 'two.code-workspace');
  await writeFile(file, JSON.stringify({ folders: names.map((path) => ({ path })) }));
  return file;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in stages));
if (unknown.length > 0) {
  console.error(`There is no stage ${unknown.join(', ')}. The stages are ${Object.keys(stages).join(', ')}.`);
  process.exit(2);
}

const total = { passed: 0, failed: 0 };
for (const [name, stage] of Object.entries(stages)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const start = performance.now();
  console.log(`\n== ${name}`);
  const counts = await stage().catch((/** @type {unknown} */ error) => {
    console.error(error);
    return { passed: 0, failed: 1 };
  });
  total.passed += counts.passed;
  total.failed += counts.failed;
  console.log(`== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
