import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Conversation, changedLines, emptyFolder, removeFolders, replaceIn, sampleCopy, snapshot } from './rig.js';

const FIX = 'Fix the failing test';
const LONG = { timeout: 60_000 };

afterAll(removeFolders);

/** Plays a whole task and says which lines it changed. */
async function play(folder: string, message = FIX): Promise<{ calls: readonly string[]; said: string; changed: readonly string[]; last: string }> {
  const before = await snapshot(folder);
  const conversation = new Conversation(folder);
  const last = await conversation.send(message);
  return { calls: conversation.calls, said: conversation.said, last, changed: changedLines(before, await snapshot(folder)) };
}

describe('fixing the failing test of the sample workspace', () => {
  it('runs the tests, reads, changes one line, runs the tests', LONG, async () => {
    const { calls, changed, said, last } = await play(await sampleCopy());
    expect(calls).toEqual(['read package.json', 'bash npm test', 'read test/room.test.js', 'read src/slot.js', 'edit src/slot.js', 'bash npm test']);
    expect(changed).toEqual(['src/slot.js: return a.start < b.end && b.start < a.end;']);
    expect(said).toMatch(/script, not a language model.*No model is contacted/s);
    expect(last).toMatch(/^All 16 tests pass now.*no model was contacted/s);
  });

  it('quotes a failure that it does not know and changes nothing', LONG, async () => {
    const folder = await sampleCopy(async (copy) => {
      await replaceIn(join(copy, 'src/slot.js'), 'a.start <= b.end', 'a.start < b.end');
      await replaceIn(join(copy, 'src/report.js'), '* 100', '* 99');
    });
    const { changed, last } = await play(folder);
    expect(changed).toEqual([]);
    expect(last).toMatch(/not the failure that my script knows.*```\n.*ERR_ASSERTION.*\n```/s);
  });

  it('says so and shows its edit when other tests still fail', LONG, async () => {
    const { changed, last } = await play(await sampleCopy((copy) => replaceIn(join(copy, 'src/report.js'), '* 100', '* 99')));
    expect(changed).toHaveLength(1);
    expect(last).toMatch(/^The tests still do not pass.*What I proposed for `src\/slot\.js` is in the file.*\+ {2}return a\.start < b\.end/s);
  });
});

describe('another workspace', () => {
  it.each([
    ['without a manifest', undefined],
    ['of another project', '{"name":"shop","scripts":{"test":"node --test"}}'],
  ])('%s: runs nothing and says why', async (_, manifest) => {
    const folder = await emptyFolder();
    if (manifest !== undefined) await writeFile(join(folder, 'package.json'), manifest);
    const { calls, last } = await play(folder);
    expect(calls).toEqual(['read package.json']);
    expect(last).toMatch(/sample workspace.*ran nothing and changed nothing.*no model was contacted/s);
  });
});

describe('explaining the sample workspace', () => {
  it.each(['Explain how this project is structured', 'Erklären, wie dieses Projekt aufgebaut ist'])('%s: quotes what the README says', async (message) => {
    const { calls, last } = await play(await sampleCopy(), message);
    expect(calls).toEqual(['read package.json', 'read README.md']);
    expect(last).toContain('- `src/clock.js`: times of day as minutes since midnight\n- `src/slot.js`: a stretch of time within one day\n');
    expect(last).toContain('no model was contacted');
  });

  it('says so when the README is another one', async () => {
    const folder = await sampleCopy((copy) => writeFile(join(copy, 'README.md'), '# roomkeeper\n'));
    expect((await play(folder, 'Explain how this project is structured')).last).toMatch(/not list the files as my script expects/);
  });
});
