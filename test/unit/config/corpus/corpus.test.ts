import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstructions } from '../../../../src/node/instructions/instructions.js';
import { createWorkspace } from '../../../../src/node/files/workspace.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';
import { QUICK } from '../../../support/temporary-folder.js';
import type { Expected, Group, Kind, Row } from './corpus-case.js';
import { type Given, READERS } from './read-case.js';
import { AGENTS } from './agents.js';
import { AGENTS_OF_OTHERS } from './agents-of-others.js';
import { COMMANDS } from './commands.js';
import { HOOKS } from './hooks.js';
import { RULES } from './rules.js';
import { SERVERS } from './servers.js';
import { SETTINGS } from './settings.js';
import { SKILLS } from './skills.js';
import { STYLES } from './styles.js';

const GROUPS: readonly Group[] = [...AGENTS, ...AGENTS_OF_OTHERS, ...COMMANDS, ...SKILLS, ...STYLES, ...RULES, ...HOOKS, ...SETTINGS, ...SERVERS];
const CASES = GROUPS.flatMap(({ rows, ...group }) => rows.map((row) => ({ ...group, form: row[0], row })));
const never = new AbortController().signal;
let all = '';
let written = 0;
const passed = new Map<string, { cases: number; passed: number }>();

/** Writes the file of a case, which is alone in its folders, and reads it. */
async function givenBy(kind: Kind, usual: string, [, text, expected, path = usual]: Row): Promise<Given> {
  written += 1;
  const root = join(all, String(written));
  const [folder, home] = [join(root, 'ws'), join(root, 'home')];
  const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(folder, path);
  for (const place of [folder, home, dirname(file)]) mkdirSync(place, { recursive: true });
  writeFileSync(file, text);
  if (kind === 'rule') return ruleIn(folder, home, expected);
  const found = await READERS[kind]({ folders: [folder], home, guards: NAMED_SECRETS });
  expect(found.length, `files and what is in them: ${JSON.stringify(found)}`).toBe(expected['count'] ?? 1);
  return { count: found.length, ...found[0] };
}

/** The texts that a chat gets at once, and those that come with a file. */
async function ruleIn(folder: string, home: string, { with: wanted = {} }: Expected): Promise<Given> {
  const finder = createInstructions({
    workspace: createWorkspace(() => [{ name: 'ws', path: folder }], home),
    home,
    trusted: () => true,
    choices: () => ({ own: true, otherTools: true }),
    consent: { allows: () => false, ask: () => undefined },
    guards: () => NAMED_SECRETS,
    used: new Set(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const { files, leftOut } = await finder.ofWorkspace(never);
  const textsWith = async (name: string): Promise<readonly string[]> => (await finder.ofFile(join(folder, name), never)).files.map(({ text }) => text);
  const withFiles = await Promise.all(Object.keys(wanted as Record<string, unknown>).map(async (name) => [name, await textsWith(name)]));
  return { always: files.map(({ text }) => text), with: Object.fromEntries(withFiles), leftOut: leftOut.map(({ reason }) => reason), problems: [] };
}

/** Whether what was given is what must be: a text that begins and ends with `/` is looked for as a pattern. */
function compare(given: Given, expected: Expected): void {
  const usual: Expected = { problems: [], skipped: undefined };
  for (const [name, value] of Object.entries({ ...usual, ...expected })) {
    const actual = given[name];
    const [pattern] = typeof value === 'string' ? (/^\/.+\/$/s.exec(value) ?? []) : [];
    if (pattern !== undefined) expect(Array.isArray(actual) ? actual.join('\n') : actual, name).toMatch(new RegExp(pattern.slice(1, -1)));
    else if (value instanceof RegExp) expect(Array.isArray(actual) ? actual.join('\n') : actual, name).toMatch(value);
    else expect(actual, name).toEqual(value);
  }
}

describe('files for other programs give what the documentation of these says', () => {
  beforeAll(() => {
    all = realpathSync(mkdtempSync(join(QUICK, 'gnomon-corpus-')));
  });
  afterAll(() => rm(all, { recursive: true, force: true }));

  for (const { program, kind, path, form, row } of CASES) {
    it(`${program}, ${kind}: ${form}`, async () => {
      const key = `${program} · ${kind}`;
      const count = passed.get(key) ?? { cases: 0, passed: 0 };
      passed.set(key, count);
      count.cases += 1;
      compare(await givenBy(kind, path, row), row[2]);
      count.passed += 1;
    });
  }

  it('each is another form, with its source; there are 300', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(300);
    expect(new Set(CASES.map(({ program, kind, form }) => `${program} ${kind} ${form}`)).size).toBe(CASES.length);
    expect(new Set(CASES.map(({ kind, path, row: [, text, , own = path] }) => `${kind} ${own} ${text}`)).size).toBeGreaterThan(CASES.length * 0.95);
    expect(GROUPS.filter(({ source }) => !/^[a-z.]+\.[a-z]+\//.test(source)).map(({ source }) => source)).toEqual([]);
  });

  afterAll(() => {
    const rows = [...passed].map(([key, { cases, passed: right }]) => `${key.padEnd(32)} ${String(cases).padStart(3)} ${String(right).padStart(3)}`);
    const sum = (field: 'cases' | 'passed'): number => [...passed.values()].reduce((total, each) => total + each[field], 0);
    console.log(['program · kind'.padEnd(31), 'cases', 'passed'].join(' '), `\n${rows.join('\n')}`, `\n${'all'.padEnd(32)} ${sum('cases')} ${sum('passed')}`);
  });
});
