import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Conversation, changedLines, removeFolders, replaceIn, sampleCopy, snapshot, testsPass } from './rig.js';

const FIX = 'Fix the failing test';
const LONG = 120_000;

afterAll(removeFolders);

/** Plays the whole job and says which lines it changed. */
async function play(folder: string, message = FIX): Promise<{ conversation: Conversation; changed: readonly string[]; last: string }> {
  const before = await snapshot(folder);
  const conversation = new Conversation(folder);
  const last = await conversation.send(message);
  return { conversation, last, changed: changedLines(before, await snapshot(folder)) };
}

/** A sample without its own bug and with another one. */
function sampleWithBug(file: string, right: string, wrong: string): Promise<string> {
  return sampleCopy(async (folder) => {
    await replaceIn(join(folder, 'src/slot.js'), 'a.start <= b.end', 'a.start < b.end');
    await replaceIn(join(folder, file), right, wrong);
  });
}

describe('the job on the sample workspace', () => {
  it('runs the tests, reads, changes one line, runs the tests', { timeout: LONG }, async () => {
    const folder = await sampleCopy();
    expect(await testsPass(folder)).toBe(false);
    const { conversation, changed, last } = await play(folder);
    expect(changed).toEqual(['src/slot.js: return a.start < b.end && b.start < a.end;']);
    expect(await testsPass(folder)).toBe(true);
    expect(conversation.calls.filter((call) => call.startsWith('bash'))[0]).toBe('bash npm test');
    expect(conversation.calls).toContain('read test/room.test.js');
    expect(conversation.calls.at(-1)).toBe('bash npm test');
    expect(conversation.said).toMatch(/script, not a language model.*No model is contacted/s);
    expect(last).toMatch(/tests pass now.*no model was contacted/is);
  });

  it('finds the bug after lines were moved and the function was put elsewhere', { timeout: LONG }, async () => {
    const folder = await sampleCopy(async (copy) => {
      const file = join(copy, 'src/slot.js');
      const body = 'export function overlaps(a, b) {\n  return a.start <= b.end && b.start < a.end;\n}\n';
      await replaceIn(file, `/** Whether two slots have a minute in common. */\n${body}\n`, '');
      await replaceIn(file, "from './clock.js';\n", `from './clock.js';\n\n// A comment with <= in it.\n\n\n${body}`);
      await replaceIn(join(copy, 'test/room.test.js'), "import assert", "\n\n\nimport assert");
    });
    expect((await play(folder)).changed).toEqual(['src/slot.js: return a.start < b.end && b.start < a.end;']);
    expect(await testsPass(folder)).toBe(true);
  });

  it('finds the bug under other names', { timeout: LONG }, async () => {
    const folder = await sampleCopy(async (copy) => {
      for (const file of ['src/slot.js', 'src/room.js', 'src/index.js', 'test/slot.test.js']) {
        await replaceIn(join(copy, file), 'overlaps', 'clash');
      }
      await replaceIn(join(copy, 'src/slot.js'), 'clash(a, b) {\n  return a.start <= b.end && b.start < a.end;', 'clash(p, q) {\n  return p.start <= q.end && q.start < p.end;');
    });
    expect((await play(folder)).changed).toEqual(['src/slot.js: return p.start < q.end && q.start < p.end;']);
    expect(await testsPass(folder)).toBe(true);
  });

  it('finds the bug in a renamed file', { timeout: LONG }, async () => {
    const folder = await sampleCopy(async (copy) => {
      await rename(join(copy, 'src/slot.js'), join(copy, 'src/interval.mjs'));
      await rename(join(copy, 'test/room.test.js'), join(copy, 'test/booking.test.js'));
      for (const file of ['src/room.js', 'src/report.js', 'src/index.js', 'test/slot.test.js', 'test/booking.test.js']) {
        await replaceIn(join(copy, file), 'slot.js', 'interval.mjs');
      }
    });
    expect((await play(folder)).changed).toEqual(['src/interval.mjs: return a.start < b.end && b.start < a.end;']);
    expect(await testsPass(folder)).toBe(true);
  });

  it('works with the TAP format and with no manifest', { timeout: LONG }, async () => {
    const folder = await sampleCopy(async (copy) => {
      await rm(join(copy, 'package.json'));
      for (const file of ['src/slot.js', 'src/room.js', 'src/report.js', 'src/clock.js', 'src/index.js']) {
        await rename(join(copy, file), join(copy, file.replace('.js', '.mjs')));
      }
      for (const file of ['slot', 'room', 'report', 'clock']) {
        await rename(join(copy, `test/${file}.test.js`), join(copy, `test/${file}.test.mjs`));
        await replaceIn(join(copy, `test/${file}.test.mjs`), ".js'", ".mjs'");
      }
      for (const file of ['slot', 'room', 'report', 'index']) await replaceIn(join(copy, `src/${file}.mjs`), ".js'", ".mjs'");
    });
    const { changed, conversation } = await play(folder);
    expect(conversation.calls).toContain('bash node --test');
    expect(changed).toEqual(['src/slot.mjs: return a.start < b.end && b.start < a.end;']);
  });
});

describe('other bugs in the sample', () => {
  it.each([
    ['src/slot.js', 'b.start < a.end;', 'b.start <= a.end;'],
    ['src/slot.js', 'return end - start', 'return end + start'],
    ['src/slot.js', 'end <= start', 'end < start'],
    ['src/room.js', 'bookings.every', 'bookings.some'],
    ['src/report.js', 'occupancy(room) > occupancy', 'occupancy(room) >= occupancy'],
  ])('%s: %s, written as %s', { timeout: LONG }, async (file, right, wrong) => {
    const folder = await sampleWithBug(file, right, wrong);
    expect((await play(folder)).changed).toHaveLength(1);
    expect(await testsPass(folder)).toBe(true);
  });
});

describe('what the demo cannot do', () => {
  it('says so and puts everything back when no repair helps', { timeout: LONG }, async () => {
    const folder = await sampleWithBug('src/report.js', '* 100', '* 100 - lengthOf(room.hours) * 3');
    const { changed, last, conversation } = await play(folder);
    expect(changed).toEqual([]);
    expect(last).toMatch(/cannot fix it\. Your files are as they were/);
    expect(conversation.calls.filter((call) => call.startsWith('edit')).length).toBe(12);
  });

  it('says so when a test names a file that is not there', { timeout: LONG }, async () => {
    const folder = await sampleCopy((copy) => rename(join(copy, 'src/slot.js'), join(copy, 'src/interval.js')));
    const { changed, last } = await play(folder);
    expect(changed).toEqual([]);
    expect(last).toMatch(/cannot/);
  });

  it('says so when there are no tests', { timeout: LONG }, async () => {
    const folder = await sampleCopy((copy) => rm(join(copy, 'test'), { recursive: true }).then(() => writeFile(join(copy, 'package.json'), '{}')));
    expect((await play(folder)).last).toMatch(/found no tests/);
  });
});

it('says that there is nothing to do when the tests pass', { timeout: LONG }, async () => {
  const folder = await sampleCopy((copy) => replaceIn(join(copy, 'src/slot.js'), 'a.start <= b.end', 'a.start < b.end'));
  const { changed, last, conversation } = await play(folder, 'please make the tests pass');
  expect(changed).toEqual([]);
  expect(last).toMatch(/All 16 tests pass already/);
  expect(conversation.calls).toEqual(['read package.json', 'bash npm test']);
});

it('keeps a repair that helps some tests and goes on with the others', { timeout: LONG }, async () => {
  const folder = await sampleCopy((copy) => replaceIn(join(copy, 'src/report.js'), 'occupancy(room) > occupancy', 'occupancy(room) < occupancy'));
  const { changed, last } = await play(folder, 'Fix the failing tests.');
  expect(changed).toHaveLength(2);
  expect(await testsPass(folder)).toBe(true);
  expect(last).toContain('src/report.js');
  expect(last).toContain('src/slot.js');
});
