import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenSession } from '../../../../src/domain/session/session-store.js';
import { journalSteps } from '../../../../src/session/journal/journal.js';
import { inSlices } from '../../../../src/concurrency/steps.js';
import { recover } from '../../../../src/session/journal/recovery.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { assistant, TestProcesses, testStore, texts, user } from '../support/setup.js';

const ID = 'a';

/** A session whose host was killed: its folder, and what is in its journal. */
async function killed(record: (open: OpenSession) => Promise<unknown>): Promise<{ folder: string; journal: Buffer; processes: TestProcesses }> {
  const folder = temporaryFolder();
  const processes = new TestProcesses();
  const probe = processes.start();
  const open = await testStore(folder, { processes: probe, newId: () => ID }).create('system');
  await record(open);
  probe.end();
  return { folder, processes, journal: await readFile(join(folder, `${ID}.journal.jsonl`)) };
}

async function openAgain(folder: string, processes: TestProcesses): Promise<OpenSession> {
  return testStore(folder, { processes: processes.start() }).open(ID);
}

describe('a torn journal', () => {
  it('sess-01 cut at any byte gives all whole lines before it', async () => {
    const { folder, journal, processes } = await killed(async ({ recorder }) => {
      await recorder.append(user('one é'));
      await recorder.append(assistant('two'));
      await recorder.partial(assistant('thr'));
      await recorder.append(assistant('three'));
    });
    const path = join(folder, `${ID}.journal.jsonl`);
    const ends = [...journal.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
    expect(ends).toHaveLength(5);
    const expected = [[], [], ['one é'], ['one é', 'two'], ['one é', 'two', 'thr'], ['one é', 'two', 'three']];
    for (let size = 0; size <= journal.length; size += 1) {
      const parsed = await inSlices(journalSteps(journal.subarray(0, size)));
      const whole = ends.filter((end) => end <= size).length;
      expect(parsed).toMatchObject({ badLines: 0, goodBytes: whole === 0 ? 0 : ends[whole - 1] });
      const { messages } = recover(ID, undefined, parsed);
      expect(texts(messages.map(({ message }) => message)), `${size} bytes`).toEqual(expected[whole]);
    }
    for (const size of ends.flatMap((end) => [end - 1, end, end + 1]).filter((end) => end <= journal.length)) {
      for (const name of await readdir(folder)) await rm(join(folder, name));
      await writeFile(path, journal.subarray(0, size));
      const found = expected[ends.filter((end) => end <= size).length] ?? [];
      const opened = await openAgain(folder, processes);
      expect(texts(opened.session.messages), `${size} bytes`).toEqual(found);
      expect(opened.warnings).toEqual([]);
      await opened.recorder.append(user('next'));
      await opened.recorder.close();
      const again = await openAgain(folder, processes);
      expect(texts(again.session.messages), `${size} bytes`).toEqual([...found, 'next']);
      await again.recorder.close();
    }
  });
});

describe('a damaged journal', () => {
  it('sess-07 loses one bad line of 5,000 and says so', async () => {
    const { folder, journal, processes } = await killed(async ({ recorder }) => {
      await Promise.all(Array.from({ length: 5_000 }, (_, index) => recorder.append(user(`m${index}`))));
    });
    const lines = journal.toString().split('\n');
    lines[2_501] = `${lines[2_501]?.slice(0, 30) ?? ''}\0\0\0`;
    await writeFile(join(folder, `${ID}.journal.jsonl`), lines.join('\n'));
    const opened = await openAgain(folder, processes);
    expect(opened.session.messages).toHaveLength(4_999);
    expect(texts(opened.session.messages).slice(2_499, 2_501)).toEqual(['m2499', 'm2501']);
    expect(opened.warnings).toEqual([expect.stringContaining('One line of this chat’s journal')]);
    await opened.recorder.close();
    const again = await openAgain(folder, processes);
    expect(again.session.messages).toHaveLength(4_999);
    expect(again.warnings).toEqual([]);
    expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^a\.journal\.jsonl\.\d+\.kept$/));
    await again.recorder.close();
  });

  it('does not double messages when the crash comes between fold and removal, with a bad line and without', async () => {
    for (const bad of [undefined, 1, 2, 3]) {
      const { folder, journal, processes } = await killed(async ({ recorder }) => {
        await recorder.append(user('u1'));
        await recorder.append(user('u1'));
        await recorder.append(assistant('a1'));
        await recorder.partial(assistant('a2'));
      });
      const lines = journal.toString().split('\n');
      if (bad !== undefined) lines[bad] = '{"bad';
      const path = join(folder, `${ID}.journal.jsonl`);
      await writeFile(path, lines.join('\n'));
      const first = await openAgain(folder, processes);
      await first.recorder.close();
      await writeFile(path, lines.join('\n'));
      const second = await openAgain(folder, processes);
      expect(texts(second.session.messages), `bad line ${bad ?? 'none'}`).toEqual(texts(first.session.messages));
      expect(second.meta.interruptedAt).toBe(second.session.messages.length - 1);
      await second.recorder.append(user('next'));
      await second.recorder.close();
      await writeFile(path, lines.join('\n'));
      const third = await openAgain(folder, processes);
      expect(texts(third.session.messages), `bad line ${bad ?? 'none'}`).toEqual([...texts(first.session.messages), 'next']);
      await third.recorder.close();
    }
  });

  it('goes on with lines that came after a fold whose journal could not be removed', async () => {
    const { folder, journal, processes } = await killed(async ({ recorder }) => {
      await recorder.append(user('u1'));
      await recorder.append(assistant('a1'));
      await recorder.append(user('u2'));
    });
    const path = join(folder, `${ID}.journal.jsonl`);
    const lines = journal.toString().split('\n');
    await writeFile(path, `${lines.slice(0, 3).join('\n')}\n`);
    await (await openAgain(folder, processes)).recorder.close();
    await writeFile(path, journal);
    const opened = await openAgain(folder, processes);
    expect(texts(opened.session.messages)).toEqual(['u1', 'a1', 'u2']);
    await opened.recorder.close();
  });

  it('is kept aside when another program changed the session meanwhile', async () => {
    const { folder, journal, processes } = await killed(async ({ recorder }) => {
      await recorder.append(user('u1'));
      await recorder.fold();
      await recorder.append(assistant('a1'));
    });
    const path = join(folder, `${ID}.json`);
    const other = (await readFile(path, 'utf8'))
      .replace(/ {2}\]\n\}$/, '')
      .replace(/\n {4}\}\n$/, '\n    },\n    {"type":"user","content":[{"type":"text","text":"from Pipe"}]}\n  ]\n}');
    await writeFile(path, other);
    const opened = await openAgain(folder, processes);
    expect(texts(opened.session.messages)).toEqual(['u1', 'from Pipe']);
    expect(opened.warnings).toEqual([expect.stringContaining('Another program changed this chat')]);
    await opened.recorder.append(user('next'));
    await opened.recorder.close();
    const kept = (await readdir(folder)).find((name) => name.endsWith('.kept'));
    expect(await readFile(join(folder, kept ?? ''))).toEqual(journal);
    expect(texts((await openAgain(folder, processes)).session.messages)).toEqual(['u1', 'from Pipe', 'next']);
  });

  it('keeps the version that another program wrote while the session was open', async () => {
    const folder = temporaryFolder();
    const { recorder } = await testStore(folder, { newId: () => ID }).create('');
    await recorder.append(user('u1'));
    await recorder.fold();
    await writeFile(join(folder, `${ID}.json`), '{"version":1,"id":"theirs"}');
    await recorder.append(assistant('a1'));
    await recorder.close();
    const kept = (await readdir(folder)).find((name) => name.endsWith('.kept'));
    expect(await readFile(join(folder, kept ?? ''), 'utf8')).toBe('{"version":1,"id":"theirs"}');
    expect(texts((await testStore(folder).open(ID)).session.messages)).toEqual(['u1', 'a1']);
  });

  it('stays untouched beside a session that cannot be read', async () => {
    const { folder, journal, processes } = await killed(async ({ recorder }) => {
      await recorder.append(user('u1'));
    });
    await writeFile(join(folder, `${ID}.json`), '{"version":1');
    await expect(openAgain(folder, processes)).rejects.toThrow('a.json: it is not valid JSON');
    expect(await readFile(join(folder, `${ID}.journal.jsonl`))).toEqual(journal);
    expect(await readFile(join(folder, `${ID}.json`), 'utf8')).toBe('{"version":1');
    expect(await readdir(folder)).not.toContain(`${ID}.lock`);
  });

  it('counts and skips whatever is no line', async () => {
    const junk = [
      '',
      'x',
      '{}',
      '[]',
      'null',
      '{"index":-1,"message":{"type":"user"}}',
      '{"index":0}',
      '{"journal":2}',
      '{"index":0,"message":{"type":"user"}}',
    ];
    expect(await inSlices(journalSteps(Buffer.from(`${junk.join('\n')}\n{"index":1,`)))).toMatchObject({ badLines: 7, lines: [{ kind: 'message', index: 0 }] });
  });
});
