import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { report } from '../../../scripts/checks/result.mjs';
import { runStages } from '../../../scripts/checks/schedule.mjs';
import { STAGES, type Stage } from '../../../scripts/checks/stages.mjs';
import { deferred } from '../../support/model-server/gate.js';

/** Stages that run until they are told to end. */
function stages(...parts: readonly Pick<Stage, 'name' | 'workers' | 'after'>[]) {
  const began: string[] = [];
  const ends = new Map(parts.map(({ name }) => [name, deferred()]));
  const all = parts.map((part): Stage => ({
    ...part,
    budget: 60,
    run: async () => {
      began.push(part.name);
      await ends.get(part.name)?.promise;
      return [{ name: part.name, passed: true, ms: 1 }];
    },
  }));
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.resolve();
    await vi.waitFor(() => expect(settled).toContain(name));
  };
  const settled: string[] = [];
  for (const [name, { promise }] of ends) void promise.then(() => settled.push(name));
  return { began, all, end };
}

describe('stages', () => {
  it('run side by side where there is room, after those that they need, and a large one is not overtaken', async () => {
    const { began, all, end } = stages(
      { name: 'build', workers: 1 },
      { name: 'first', workers: 1 },
      { name: 'later', workers: 1, after: ['build'] },
      { name: 'large', workers: 2 },
      { name: 'small', workers: 1 },
    );
    const silent = [vi.spyOn(console, 'log').mockReturnValue(undefined), vi.spyOn(process.stdout, 'write').mockReturnValue(true)];
    onTestFinished(() => silent.forEach((spy) => spy.mockRestore()));
    const ended = runStages(all, {}, 2);
    expect(began).toEqual(['build', 'first']);
    await end('build');
    await vi.waitFor(() => expect(began).toEqual(['build', 'first', 'later']));
    await end('first');
    await end('later');
    await vi.waitFor(() => expect(began).toEqual(['build', 'first', 'later', 'large']));
    await end('large');
    await vi.waitFor(() => expect(began).toEqual(['build', 'first', 'later', 'large', 'small']));
    await end('small');
    expect((await ended).map(({ stage }) => stage)).toEqual(['build', 'first', 'later', 'large', 'small']);
  });

  it('that take longer than they may are named at the end', () => {
    const results = STAGES.map(({ name, budget }) => ({ stage: name, budget, idle: 0.25, seconds: name === 'lint' ? budget + 1 : budget, tests: [] }));
    const lines = report(results, 600).split('\n');
    expect(lines.filter((line) => line.includes('more than the'))).toEqual([expect.stringMatching(/^lint took /)]);
    expect(lines.at(-1)).toBe('0 passed, 0 failed');
  });

  it('with failures end with the beginning of each error, as a machine may keep nothing else', () => {
    const why = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n');
    const tests = [
      { name: 'a test', passed: false, ms: 1, why },
      { name: 'another', passed: false, ms: 1 },
    ];
    const lines = report([{ stage: 'unit', budget: 9, idle: 0, seconds: 1, tests }], 1).split('\n');
    const at = lines.indexOf('  unit: a test');
    expect(lines.slice(at, at + 3)).toEqual(['  unit: a test', '    line 0', '    line 1']);
    expect(lines[lines.indexOf('  unit: another') + 1]).toBe('');
    expect(lines.length).toBeLessThan(90);
  });
});
