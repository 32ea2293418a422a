import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { EstimatesFile } from '../../../src/agent-host/estimates-file.js';
import { TASK_KINDS } from '../../../src/domain/model/task-kind.js';
import { estimatesOf } from '../../../src/routing/estimates.js';
import type { Observed } from '../../../src/routing/observation-table.js';
import { helperProgram } from '../../support/helper-program.js';
import { quickFolder, temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';

const MODEL = 'anthropic/small';
const GOOD = { version: 1, models: { [MODEL]: { debug: { solved: 1, seen: 2, last: '2026-01-01T00:00:00Z' } } } };

/** Windows that share a folder, with what they tell and log. */
class Windows {
  readonly folder = quickFolder();
  readonly told: string[] = [];
  readonly log = new MemoryLog();
  now = '2026-01-02T00:00:00.000Z';
  readonly path = join(this.folder, 'gnomon-estimates.json');

  open(folder = this.folder): EstimatesFile {
    const dialogs = { notify: (_level: 'info' | 'warning', text: string) => Promise.resolve(void this.told.push(text)) };
    const clock = { timestamp: () => this.now, monotonic: () => 0 };
    return new EstimatesFile({ folder, dialogs, clock, log: this.log });
  }

  write(content: unknown): void {
    writeFileSync(this.path, typeof content === 'string' ? content : JSON.stringify(content));
  }

  read(): { models: Record<string, Record<string, { solved: number; seen: number; last: string }>>; recent: readonly object[] } {
    return JSON.parse(readFileSync(this.path, 'utf8')) as ReturnType<Windows['read']>;
  }

  /** Names of files that are kept beside it. */
  get kept(): readonly string[] {
    return readdirSync(this.folder).filter((name) => name.startsWith('gnomon-estimates.json.'));
  }
}

function outcome(share: number, more: Partial<Observed> = {}): Observed {
  return { model: MODEL, kind: 'debug', share, because: ['hunks'], at: '2026-01-02T00:00:00.000Z', ...more };
}

describe('R-11: the file with what was observed of models', () => {
  it('is made with the first observation, for people to read, and says what it is', async () => {
    const windows = new Windows();
    const file = windows.open();
    expect(await file.observations()).toEqual({});
    expect(existsSync(windows.path)).toBe(false);
    await file.add(outcome(1));
    await file.add(outcome(0));
    expect(await file.observations()).toEqual({ [MODEL]: { debug: { solved: 0.97, seen: 1.97, last: '2026-01-02T00:00:00.000Z' } } });
    const text = readFileSync(windows.path, 'utf8');
    expect(text).toContain('"about": "What came of tasks');
    expect(text.split('\n').length).toBeGreaterThan(10);
    expect(windows.read().recent).toHaveLength(2);
    if (process.platform !== 'win32') expect(statSync(windows.path).mode & 0o777).toBe(0o600);
    expect([windows.kept, windows.told]).toEqual([[], []]);
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['cut off', JSON.stringify(GOOD).slice(0, 40)],
    ['something else', '[1, 2]'],
    ['bytes', '\u0000\uFFFD'],
    ['without a version', { models: {} }],
    ['without models', { version: 1 }],
    ['with a list of models', { version: 1, models: [] }],
    ['an older version', { version: 0, models: {} }],
  ])('%s: counts as nothing, stays until something is written, and is kept aside then', async (_what, content) => {
    const windows = new Windows();
    windows.write(content);
    const before = readFileSync(windows.path, 'utf8');
    const file = windows.open();
    for (let time = 0; time < 3; time += 1) expect(await file.observations()).toEqual({});
    expect(windows.log.lines.filter((line) => line.includes('This file is damaged'))).toHaveLength(1);
    expect(await file.prepare()).toMatch(/^This file is damaged, so nothing of it counts\./);
    expect(readFileSync(windows.path, 'utf8')).toBe(before);
    await file.add(outcome(1));
    expect(await file.observations()).toMatchObject({ [MODEL]: { debug: { solved: 1, seen: 1 } } });
    expect(windows.kept).toEqual(['gnomon-estimates.json.damaged-2026-01-02T00-00-00-000Z']);
    expect(readFileSync(join(windows.folder, windows.kept[0] ?? ''), 'utf8')).toBe(before);
    expect(windows.told).toEqual([expect.stringContaining(`The damaged file was kept as ${windows.kept[0]}`)]);
    expect(await file.prepare()).toBeUndefined();
  });

  it('of a newer version, and one that cannot be read, is left as it is', async () => {
    const newer = { version: 2, models: { [MODEL]: 'in another form' } };
    const windows = new Windows();
    windows.write(newer);
    const file = windows.open();
    await file.add(outcome(1));
    expect([windows.read(), windows.kept, await file.observations()]).toEqual([newer, [], {}]);
    expect(await file.prepare()).toBe('This file was written by a newer version of Gnomon, so nothing of it counts here.');
    const other = new Windows();
    mkdirSync(other.path);
    const folder = other.open();
    await folder.add(outcome(1));
    expect([await folder.observations(), other.kept, await folder.prepare()]).toEqual([{}, [], expect.stringContaining('It is not a regular file.')]);
    // What could not be written goes with the next one that can be.
    windows.write(GOOD);
    await file.add(outcome(1));
    expect(windows.read().models[MODEL]?.['debug']?.seen).toBeCloseTo(2 * 0.97 ** 2 + 1.97, 4);
  });

  it('drops what is impossible, and says what that was', async () => {
    const windows = new Windows();
    const impossible: readonly unknown[] = [
      { solved: 3, seen: 2 },
      { solved: -1, seen: 2 },
      { solved: 1, seen: 1e9 },
      { solved: '1', seen: 2 },
      { solved: null, seen: 2 },
      { seen: 2 },
      null,
      [],
    ];
    const kinds = Object.fromEntries<unknown>(impossible.map((each, index) => [TASK_KINDS[index] ?? '', each]));
    windows.write({
      ...GOOD,
      models: { ...GOOD.models, 'a/b': { ...kinds, debug: { solved: 1, seen: 1 }, cooking: { solved: 1, seen: 1 } }, ['x'.repeat(600)]: {} },
    });
    const file = windows.open();
    expect(await file.observations()).toEqual({ ...GOOD.models, 'a/b': { debug: { solved: 1, seen: 1 } } });
    const problem = await file.prepare();
    expect(problem).toMatch(/^Some entries of this file are impossible and do not count: 10 in all\. a\/b, boilerplate; a\/b, generation; .*; …$/);
    expect(windows.log.lines.filter((line) => line.includes('impossible'))).toHaveLength(1);
  });

  it('keeps models that are not known, also under names that mean something to JavaScript, and they do no harm', async () => {
    const windows = new Windows();
    const names = ['constructor', 'toString', 'gone/model', 'a b\u202E', ''];
    const seen = { debug: { solved: 0, seen: 30 } };
    windows.write(
      `{"version":1,"models":{"__proto__":{"debug":{"solved":0,"seen":30}},${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(seen)}`).join(',')}}}`,
    );
    const file = windows.open();
    await file.add(outcome(1));
    for (const name of names) expect(windows.read().models[name]).toEqual(seen);
    expect(Object.keys({}).concat(Object.keys(Object.prototype))).toEqual([]);
    const priors = { [MODEL]: { debug: { value: 0.6, source: 'assumed' as const } }, other: { debug: { value: 0.6, source: 'assumed' as const } } };
    const estimates = estimatesOf(priors, await file.observations());
    expect(Object.keys(estimates)).toEqual([MODEL, 'other']);
    expect([estimates[MODEL]?.byKind.debug?.observed, estimates['other']?.byKind.debug?.observed]).toEqual([1, 0]);
  });

  it('is not confused by a clock that goes backwards', async () => {
    const windows = new Windows();
    const file = windows.open();
    await file.add(outcome(1, { at: '2030-01-01T00:00:00.000Z' }));
    await file.add(outcome(1, { at: '1999-01-01T00:00:00.000Z' }));
    windows.write(readFileSync(windows.path, 'utf8').replace('"at": "1999-01-01T00:00:00.000Z"', '"at": "yesterday"'));
    await file.add(outcome(0));
    expect(windows.read().models[MODEL]?.['debug']).toEqual({ solved: 1.9109, seen: 2.9109, last: '2030-01-01T00:00:00.000Z' });
    expect(windows.read().recent).toHaveLength(2);
  });

  it('counts what the user has changed in it while the window runs', async () => {
    const windows = new Windows();
    const file = windows.open();
    await file.add(outcome(0));
    windows.write({ version: 1, models: { [MODEL]: { debug: { solved: 100, seen: 100, last: 'my own word' } } } });
    expect(await file.observations()).toEqual({ [MODEL]: { debug: { solved: 100, seen: 100 } } });
    windows.write('{ "version": 1, "models": { "an');
    expect(await file.observations()).toEqual({});
    windows.write(GOOD);
    expect(await file.observations()).toEqual(GOOD.models);
    expect(windows.kept).toEqual([]);
  });

  it('is kept under another name when the user begins anew', async () => {
    const windows = new Windows();
    const file = windows.open();
    expect(await file.reset()).toBeUndefined();
    expect(await file.prepare()).toBeUndefined();
    expect(windows.read().models).toEqual({});
    await file.add(outcome(1));
    expect(await file.reset()).toBe(`${windows.path}.reset-2026-01-02T00-00-00-000Z`);
    expect([await file.observations(), windows.kept.length, existsSync(windows.path)]).toEqual([{}, 1, false]);
  });

  it('loses nothing that several windows observe at the same time', { timeout: 120_000 }, async () => {
    const windows = new Windows();
    const program = await helperProgram('observing', OBSERVING, temporaryFolder());
    const run = promisify(execFile);
    const names = ['first', 'second'];
    const all = await Promise.all(names.map((name) => run(process.execPath, [program, windows.folder, name, '200'])));
    expect(all.map(({ stderr }) => stderr)).toEqual(['', '']);
    const { models } = windows.read();
    const own = Object.entries(models).filter(([key]) => names.some((name) => key.startsWith(`${name}/`)));
    expect(own.flatMap(([, kinds]) => Object.values(kinds).map(({ seen }) => seen))).toEqual(Array.from({ length: 400 }, () => 1));
    // Both have added ten to the same one.
    expect(models['shared/model']?.['debug']?.seen).toBeCloseTo((1 - 0.97 ** 20) / 0.03, 2);
    expect(windows.kept).toEqual([]);
  });

  it('with 100,000 records is read and written in little more time than JSON takes, and what is too much is said', { timeout: 60_000 }, async () => {
    const windows = new Windows();
    const entries = Array.from({ length: 10_000 }, (_, index) => [
      `provider/model-${index}`,
      Object.fromEntries(TASK_KINDS.map((kind) => [kind, { solved: 1, seen: 2, last: `2026-01-01T00:00:00.${String(index).padStart(5, '0')}Z` }])),
    ]);
    const text = JSON.stringify({ version: 1, models: Object.fromEntries(entries) as object });
    windows.write(text);
    const file = windows.open();
    const parsed = timeOf(() => JSON.parse(text) as unknown);
    const began = performance.now();
    expect(Object.keys(await file.observations())).toHaveLength(500);
    const took = performance.now() - began;
    expect(took).toBeLessThan(Math.max(1_000, 30 * parsed));
    // As long as it is not changed, it is not read again.
    const again = performance.now();
    for (let time = 0; time < 100; time += 1) await file.observations();
    expect(performance.now() - again).toBeLessThan(Math.max(took, 200));
    expect(await file.prepare()).toBe('This file has too many models. Those that were observed longest ago do not count: 9500 in all.');
    await Promise.all(Array.from({ length: 1_000 }, () => file.add(outcome(1))));
    const { models, recent } = windows.read();
    expect(Object.keys(models)).toHaveLength(500);
    expect([models['provider/model-9999'] !== undefined, models['provider/model-0'], models[MODEL]?.['debug']?.seen]).toEqual([
      true,
      undefined,
      expect.closeTo(33.333, 2),
    ]);
    expect(recent).toHaveLength(20);
  });

  it('that cannot be written is no reason to fail', async () => {
    const windows = new Windows();
    windows.write('');
    const file = windows.open(join(windows.path, 'below a file'));
    await file.add(outcome(1));
    expect([await file.observations(), windows.log.lines]).toEqual([{}, [expect.stringContaining('What came of a task could not be stored')]]);
  });
});

function timeOf(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}

const OBSERVING = `
import { EstimatesFile } from './src/agent-host/estimates-file.js';
import { TASK_KINDS } from './src/domain/model/task-kind.js';
const [folder, own, count] = process.argv.slice(2);
const log = { info: () => undefined, warn: console.error, error: console.error };
const clock = { timestamp: () => new Date().toISOString(), monotonic: () => performance.now() };
const dialogs = { notify: (level, text) => Promise.resolve(console.error(level, text)) };
const file = new EstimatesFile({ folder, dialogs, clock, log });
for (let n = 0; n < Number(count); n += 1) {
  const kind = TASK_KINDS[n % TASK_KINDS.length];
  const about = { share: 1, because: ['hunks'], at: clock.timestamp() };
  const shared = n % 20 === 0 ? [file.add({ ...about, model: 'shared/model', kind: 'debug' })] : [];
  await Promise.all([...shared, file.add({ ...about, model: own + '/model-' + Math.floor(n / TASK_KINDS.length), kind })]);
}
`;
