/**
 * Compares the recorded verdicts of `skills-ref validate`, the reference validator of agentskills.io, with those of the program that is
 * installed. The unit tests compare Gnomon’s own reader with the recorded ones.
 *
 *     npm run compare:skills [-- --write VERSION]
 *
 * The program is `skills-ref`, or what SKILLS_REF names. With `--write`, its verdicts are recorded, together with the version given.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from '../test/vscode/json.mjs';

/** @typedef {{ valid: boolean, errors: readonly string[] }} Verdict */
/** @typedef {{ program: string, version: string, verdicts: Record<string, Verdict> }} Recorded */

const CORPUS = fileURLToPath(new URL('../test/fixtures/config-corpus/skills', import.meta.url));
const RECORDED = join(CORPUS, 'verdicts.json');
const PROGRAM = process.env['SKILLS_REF'] ?? 'skills-ref';
/** Milliseconds for one skill. */
const TIMEOUT_MS = 30_000;

const [flag, version] = process.argv.slice(2);
if (flag !== undefined && (flag !== '--write' || version === undefined)) fail('Usage: npm run compare:skills [-- --write VERSION]');
const verdicts = Object.fromEntries(skills().map((skill) => [skill, verdictOn(skill)]));
if (version !== undefined) writeFileSync(RECORDED, `${JSON.stringify({ program: 'skills-ref', version, verdicts }, undefined, 2)}\n`);
else compare();

/** @returns {readonly string[]} the folders of the skills, from that of the corpus on */
function skills() {
  const cases = readdirSync(CORPUS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return cases.flatMap(({ name }) => readdirSync(join(CORPUS, name)).map((folder) => `${name}/${folder}`)).sort();
}

/**
 * @param {string} skill
 * @returns {Verdict}
 */
function verdictOn(skill) {
  const { status, stderr, error } = spawnSync(PROGRAM, ['validate', join(CORPUS, skill)], { encoding: 'utf8', timeout: TIMEOUT_MS });
  if (error !== undefined || (status !== 0 && status !== 1))
    fail(`${PROGRAM} cannot be run (${error?.message ?? `exit code ${status}: ${stderr}`}). Install it, or name it with SKILLS_REF.`);
  const errors = stderr.split('\n').flatMap((line) => /^ {2}- (.*)$/.exec(line)?.[1] ?? []);
  // Where they name paths, those are of this machine.
  return { valid: status === 0, errors: errors.map((line) => line.replaceAll(CORPUS, '')) };
}

function compare() {
  if (!existsSync(RECORDED)) fail(`There is no ${RECORDED}. Record it with --write.`);
  const recorded = /** @type {Recorded} */ (parseJson(readFileSync(RECORDED, 'utf8')));
  const names = [...new Set([...Object.keys(recorded.verdicts), ...Object.keys(verdicts)])].sort();
  const different = names.filter((name) => recorded.verdicts[name]?.valid !== verdicts[name]?.valid);
  for (const name of different) console.log(`${name}: recorded ${wordsFor(recorded.verdicts[name])}, now ${wordsFor(verdicts[name])}`);
  console.log(`${names.length - different.length} of ${names.length} verdicts are those of ${recorded.program} ${recorded.version}.`);
  process.exitCode = different.length === 0 ? 0 : 1;
}

/**
 * @param {Verdict | undefined} verdict
 * @returns {string}
 */
function wordsFor(verdict) {
  if (verdict === undefined) return 'missing';
  return verdict.valid ? 'valid' : `invalid (${verdict.errors.join('; ')})`;
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(2);
}
