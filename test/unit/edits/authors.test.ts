import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChangeAuthor, CHAT_AUTHOR } from '../../../src/domain/workspace/change-author.js';
import { parsePassages, type Passage, storedPassages, untouched, written, writtenLines } from '../../../src/edits/authored-lines.js';
import { linesOf } from '../../../src/edits/differing-lines.js';
import { Ledger } from '../../../src/edits/ledger.js';
import { LedgerStore } from '../../../src/edits/ledger-store.js';
import { createChangeRecorder } from '../../../src/edits/recorder.js';
import { type Hunk, type TextPair, type TextReview, reviewText } from '../../../src/edits/text-review.js';
import { textCodec } from '../../../src/edits/text-work.js';
import { runs } from '../../support/runs.js';
import { blobFiles, Rig } from './rig.js';

const A: ChangeAuthor = { id: 'session-a', name: 'general: Change the beginning' };
const B: ChangeAuthor = { id: 'session-b', name: 'explore: Change the middle' };
const AUTHORS = [A, B, CHAT_AUTHOR];

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

/** A workspace in which a chat and agents that work for it change files. */
class AuthorsRig extends Rig {
  ledger = this.open();

  open(): Ledger {
    const blobs = blobFiles();
    this.ledger = new Ledger({ store: new LedgerStore(join(this.storage, 'ledger'), blobs, blobs.log), files: this.files, codec: textCodec });
    return this.ledger;
  }

  async edit(by: ChangeAuthor, name: string, change: (text: string) => string | undefined): Promise<void> {
    const recorder = createChangeRecorder({ checkpoints: this.checkpoints, ledger: this.ledger, files: this.files, log: this.log });
    const changes = [{ action: 'create' as const, path: this.path(name), text: '' }];
    const plan = { tool: 'edit', subject: '', args: {}, accesses: [], preview: { kind: 'none' as const }, changes };
    const record = await recorder.begin({ sessionId: 'chat', by, callId: 'c', messageIndex: 0, plan });
    this.write(name, change(this.read(name) ?? ''));
    await record.end({ failed: false });
  }

  /** A agent changes lines 1 to 3, another one 10 to 12, the chat line 20. */
  async threeParts(): Promise<string> {
    const text = numbered(20);
    this.write('f', text);
    await this.edit(A, 'f', (now) => now.replace('line 1\nline 2\nline 3\n', 'A1\nA2\nA3\n'));
    await this.edit(B, 'f', (now) => now.replace('line 10\nline 11\nline 12\n', 'B1\nB2\n'));
    await this.edit(CHAT_AUTHOR, 'f', (now) => now.replace('line 20\n', 'C\n'));
    return text;
  }

  authors(): readonly (string | undefined)[] {
    return this.ledger.files().flatMap(({ hunks }) => hunks.map(({ by }) => by?.name));
  }

  stored(): { files: Record<string, unknown>[] } & Record<string, unknown> {
    return JSON.parse(readFileSync(join(this.storage, 'ledger', 'ledger.json'), 'utf8')) as ReturnType<AuthorsRig['stored']>;
  }
}

const ORDERS = [
  [A, B, CHAT_AUTHOR],
  [A, CHAT_AUTHOR, B],
  [B, A, CHAT_AUTHOR],
  [B, CHAT_AUTHOR, A],
  [CHAT_AUTHOR, A, B],
  [CHAT_AUTHOR, B, A],
];

describe('changes of agents', () => {
  it('E-32: each hunk names the agent that made it, and none where the chat did; a file names all of them', async () => {
    const rig = new AuthorsRig();
    await rig.threeParts();
    expect(rig.authors()).toEqual([A.name, B.name, undefined]);
    expect(rig.ledger.files()[0]?.authors).toEqual([A, B, CHAT_AUTHOR]);
  });

  it.each(ORDERS)('E-32: what one made is undone, and what the others and the user made stays, in any order', async (...order) => {
    const rig = new AuthorsRig();
    const text = await rig.threeParts();
    rig.write('f', (rig.read('f') ?? '').replace('line 6\n', 'my own line\n'));
    for (const [index, { id }] of order.entries()) {
      expect(await rig.ledger.undo(rig.path('f'), { author: id })).toEqual([]);
      const left = new Set(order.slice(index + 1).map(({ name }) => (name === '' ? undefined : name)));
      expect(new Set(rig.authors())).toEqual(left);
      expect(rig.read('f')).toContain('my own line\n');
    }
    expect(rig.read('f')).toBe(text.replace('line 6\n', 'my own line\n'));
    expect(rig.ledger.files()).toEqual([]);
  });

  it.each(ORDERS)('E-32: what one made is kept, and the rest is undone', async (kept, first, second) => {
    const rig = new AuthorsRig();
    await rig.threeParts();
    const now = rig.read('f');
    await rig.ledger.keep(rig.path('f'), { author: kept.id });
    expect(rig.read('f')).toBe(now);
    expect(rig.authors()).toHaveLength(2);
    for (const { id } of [first, second]) await rig.ledger.undo(rig.path('f'), { author: id });
    const own = { [A.id]: 'A1\nA2\nA3\n', [B.id]: 'B1\nB2\n', [CHAT_AUTHOR.id]: 'C\n' };
    for (const { id } of AUTHORS) expect(rig.read('f')?.includes(own[id] ?? '')).toBe(id === kept.id);
  });

  it('E-32: lines of another agent come back when what was made of them is undone, but not when theirs was', async () => {
    const rig = new AuthorsRig();
    rig.write('f', numbered(5));
    await rig.edit(A, 'f', () => 'line 1\nA2\nA3\nA4\nline 5\n');
    await rig.edit(B, 'f', (now) => now.replace('A3\n', 'B\n'));
    expect(rig.authors()).toEqual([A.name, B.name, A.name]);
    await rig.ledger.undo(rig.path('f'), { author: B.id });
    expect(rig.read('f')).toBe('line 1\nA2\nA3\nA4\nline 5\n');
    await rig.edit(B, 'f', (now) => now.replace('A3\n', 'B\n'));
    await rig.ledger.undo(rig.path('f'), { author: A.id });
    expect(rig.read('f')).toBe('line 1\nline 2\nB\nline 4\nline 5\n');
    await rig.ledger.undo(rig.path('f'), { author: B.id });
    expect(rig.read('f')).toBe(numbered(5));
  });

  it('E-32: lines that the user has edited since stay, and that is said', async () => {
    const rig = new AuthorsRig();
    await rig.threeParts();
    rig.write('f', (rig.read('f') ?? '').replace('A2\n', 'A2 and mine\n'));
    expect(await rig.ledger.undo(rig.path('f'), { author: A.id })).toMatchObject([{ path: rig.path('f') }]);
    expect(rig.read('f')).toContain('A1\nA2 and mine\nA3\n');
    expect(await rig.ledger.undo(rig.path('f'), { author: B.id })).toEqual([]);
    expect(rig.read('f')).toContain('line 10\nline 11\nline 12\n');
  });

  it('E-32: a file that an agent created goes with its changes only where no other has a part in it', async () => {
    const rig = new AuthorsRig();
    await rig.edit(A, 'made', () => 'of a\n');
    await rig.edit(A, 'both', () => 'of a');
    await rig.edit(B, 'both', (now) => `${now}\nof b`);
    await rig.ledger.undoAll([rig.path('made'), rig.path('both')], { author: A.id });
    expect([rig.read('made'), rig.read('both')]).toEqual([undefined, 'of b']);
    await rig.ledger.undo(rig.path('both'), { author: B.id });
    expect(rig.read('both')).toBeUndefined();
  });

  it('E-32: a file without lines is undone for one agent only where no other has changed it', async () => {
    const rig = new AuthorsRig();
    rig.write('image', 'old\0');
    rig.write('gone', 'text\n');
    await rig.edit(A, 'image', () => 'of a\0');
    await rig.edit(A, 'gone', () => undefined);
    expect(rig.ledger.files().map(({ authors }) => authors)).toEqual([[A], [A]]);
    await rig.edit(B, 'image', () => 'of b\0');
    const refused = await rig.ledger.undoAll([rig.path('image'), rig.path('gone')], { author: A.id });
    expect(refused).toEqual([{ path: rig.path('image'), why: 'Others have changed it, too, so it can only be undone as a whole.' }]);
    expect([rig.read('image'), rig.read('gone')]).toEqual(['of b\0', 'text\n']);
    await rig.ledger.keep(rig.path('image'), { author: A.id });
    expect(rig.ledger.has(rig.path('image'))).toBe(true);
    await rig.ledger.undo(rig.path('image'));
    expect(rig.read('image')).toBe('old\0');
  });

  it('E-32: the names are there after a reload, and what a newer version stored stays', async () => {
    const rig = new AuthorsRig();
    const text = await rig.threeParts();
    await rig.edit(B, 'f', (now) => now.replace('A2\n', 'B over A\n'));
    const index = join(rig.storage, 'ledger', 'ledger.json');
    const stored = rig.stored();
    writeFileSync(index, JSON.stringify({ ...stored, later: 1, files: stored.files.map((file) => ({ ...file, mood: 'good' })) }));
    const ledger = rig.open();
    await ledger.load();
    expect(rig.authors()).toEqual([A.name, B.name, A.name, B.name, undefined]);
    await ledger.undo(rig.path('f'), { author: B.id });
    expect(rig.read('f')).toContain('A1\nA2\nA3\n');
    expect(rig.stored()).toMatchObject({ later: 1, files: [{ mood: 'good', authors: [A, CHAT_AUTHOR] }] });
    await ledger.undo(rig.path('f'), { author: A.id });
    await ledger.undo(rig.path('f'), { author: CHAT_AUTHOR.id });
    expect(rig.read('f')).toBe(text);
    expect(rig.stored().files).toEqual([]);
  });

  it('E-32: changes that were stored without names, or with such as do not fit, are the chat’s', async () => {
    const rig = new AuthorsRig();
    const text = await rig.threeParts();
    const stored = rig.stored();
    const index = join(rig.storage, 'ledger', 'ledger.json');
    for (const lines of [undefined, { authors: [A], passages: [400] }, { authors: [A], passages: [[3, 3, 0, 'x'], 17] }]) {
      writeFileSync(index, JSON.stringify({ ...stored, files: stored.files.map((file) => ({ ...file, lines })) }));
      const ledger = rig.open();
      await ledger.load();
      expect(rig.authors()).toEqual([undefined, undefined, undefined]);
    }
    await rig.ledger.undo(rig.path('f'));
    expect(rig.read('f')).toBe(text);
  });

  it.each([[[{ id: 'x' }]], ['x'], [[null]], [[7, A]]])('E-32: an author that is stored as %j is left out, and no file is', async (damaged) => {
    const rig = new AuthorsRig();
    for (const name of ['f', 'g', 'h']) rig.write(name, numbered(5));
    for (const name of ['f', 'g', 'h']) await rig.edit(A, name, (now) => now.replace('line 2\n', 'A2\n').replace('line 4\n', 'A4\n'));
    await rig.edit(B, 'g', (now) => now.replace('A4\n', 'B4\n'));
    const [f, g, h] = rig.stored().files;
    const files = [
      { ...f, authors: damaged },
      { ...g, lines: { ...(g?.['lines'] as object), authors: [null, B] } },
      { ...h, lines: damaged },
    ];
    writeFileSync(join(rig.storage, 'ledger', 'ledger.json'), JSON.stringify({ ...rig.stored(), files }));
    await rig.open().load();
    expect(rig.ledger.files().map(({ path, hunks }) => [path, hunks.length])).toEqual(['f', 'g', 'h'].map((name) => [rig.path(name), 2]));
    expect(rig.ledger.files()[1]?.hunks.map(({ by }) => by?.name)).toEqual([undefined, B.name]);
    await rig.ledger.undoAll();
    for (const name of ['f', 'g', 'h']) expect(rig.read(name)).toBe(numbered(5));
  });

  it('E-32: a stored file that cannot be read takes no other from the list, and nothing of it is deleted', async () => {
    const rig = new AuthorsRig();
    for (const name of ['f', 'g']) rig.write(name, `${name}\n`);
    for (const name of ['f', 'g']) await rig.edit(A, name, (now) => `${now}of a in ${name}\n`);
    const [f, g] = rig.stored().files;
    const index = join(rig.storage, 'ledger', 'ledger.json');
    const damaged = { ...f, mode: 'x' };
    writeFileSync(index, JSON.stringify({ ...rig.stored(), files: [damaged, null, g] }));
    await rig.open().load();
    expect(rig.ledger.files().map(({ path }) => path)).toEqual([rig.path('g')]);
    await rig.ledger.undoAll();
    expect([rig.read('f'), rig.read('g')]).toEqual(['f\nof a in f\n', 'g\n']);
    expect(rig.stored().files).toEqual([damaged, null]);
    writeFileSync(index, JSON.stringify({ ...rig.stored(), files: [f] }));
    await rig.open().load();
    await rig.ledger.undoAll();
    expect(rig.read('f')).toBe('f\n');
  });

  it.each(['keep', 'undo'] as const)('E-32: what the chat changes after %s of an agent is in the list, and can be undone', async (act) => {
    const rig = new AuthorsRig();
    const text = numbered(20);
    rig.write('f', text);
    await rig.edit(CHAT_AUTHOR, 'f', (now) => now.replace('line 3\n', 'C3\n'));
    await rig.edit(A, 'f', (now) => now.replace('line 10\n', 'A10\n'));
    await rig.ledger[act](rig.path('f'), { author: A.id });
    await rig.edit(CHAT_AUTHOR, 'f', (now) => now.replace('line 15\n', 'C15\n'));
    await rig.open().load();
    expect(rig.ledger.files()[0]?.hunks).toMatchObject([
      { line: 2, removed: ['line 3\n'], edited: false },
      { line: 14, removed: ['line 15\n'], edited: false },
    ]);
    expect(rig.authors()).toEqual([undefined, undefined]);
    await rig.ledger.undo(rig.path('f'), ({ line }) => line === 2);
    expect(rig.read('f')).toContain('line 3\n');
    await rig.ledger.undo(rig.path('f'));
    expect(rig.read('f')).toBe(act === 'undo' ? text : text.replace('line 10\n', 'A10\n'));
    expect(rig.ledger.files()).toEqual([]);
  });

  it('E-32: lines that a restore brings back are of the agent that wrote them', async () => {
    const rig = new AuthorsRig();
    rig.write('f', numbered(10));
    await rig.edit(CHAT_AUTHOR, 'f', (now) => now.replace('line 8\n', 'C8\n'));
    await rig.edit(A, 'f', (now) => now.replace('line 2\n', 'A2\n').replace('line 5\n', 'A5\n'));
    const then = rig.read('f') ?? '';
    await rig.edit(A, 'f', (now) => now.replace('A2\n', 'A2 again\n'));
    await rig.edit(B, 'f', (now) => now.replace('A5\n', 'B5\n').replace('line 10\n', 'B10\n'));
    expect(rig.authors()).toEqual([A.name, B.name, undefined, B.name]);
    // As Restore does it: the file has its earlier content again.
    rig.write('f', then);
    await rig.ledger.restored([rig.path('f')]);
    expect(rig.authors()).toEqual([A.name, A.name, undefined]);
    await rig.ledger.undo(rig.path('f'), { author: A.id });
    expect(rig.read('f')).toBe(numbered(10).replace('line 8\n', 'C8\n'));
    await rig.ledger.undo(rig.path('f'));
    expect(rig.read('f')).toBe(numbered(10));
  });

  const APPENDS: readonly (readonly [string, ChangeAuthor, (rig: AuthorsRig, line: string) => Promise<void>])[] = [
    ['another agent', A, (rig, line) => rig.edit(B, 'f', (now) => `${now}${line}`).then(() => rig.ledger.keep(rig.path('f'), { author: B.id }))],
    ['another agent, by its hunk', A, (rig, line) => rig.edit(B, 'f', (now) => `${now}${line}`).then(() => rig.ledger.keep(rig.path('f'), ofB))],
    ['the user', A, typed],
    ['the user below the chat', CHAT_AUTHOR, typed],
  ];
  const UNDOES = [
    ['all', (rig: AuthorsRig) => rig.ledger.undo(rig.path('f'))],
    ['its author', (rig: AuthorsRig, by: ChangeAuthor) => rig.ledger.undo(rig.path('f'), { author: by.id })],
    ['its hunk', (rig: AuthorsRig) => rig.ledger.undo(rig.path('f'), ({ index }) => index === 0)],
  ] as const;

  it.each(
    APPENDS.flatMap(([who, by, append]) =>
      UNDOES.flatMap(([what, undo]) => ['\n', '\r\n'].map((end) => ({ who, what, shown: JSON.stringify(end), by, append, undo, end }))),
    ),
  )('E-32: a file without an end of its last line has one where a line of $who stays below: undo of $what, $shown', async ({ by, append, undo, end }) => {
    const rig = new AuthorsRig();
    rig.write('f', `one${end}two`);
    await rig.edit(by, 'f', (now) => `${now}${end}A${end}`);
    await append(rig, `B${end}`);
    await rig.open().load();
    expect(await undo(rig, by)).toEqual([]);
    expect(rig.read('f')).toBe(`one${end}two${end}B${end}`);
    expect(rig.ledger.files()).toEqual([]);
  });

  it('E-32: lines that the user has edited elsewhere do not join those of others where a line had no end', async () => {
    const rig = new AuthorsRig();
    rig.write('f', 'one\nmiddle\nmiddle\ntwo');
    await rig.edit(A, 'f', (now) => `${now.replace('one\n', 'A1\n')}\nA\n`);
    await rig.edit(B, 'f', (now) => `${now}B\n`);
    rig.write('f', (rig.read('f') ?? '').replace('A1\n', 'A1 mine\n'));
    await rig.ledger.refresh(rig.path('f'));
    await rig.ledger.undo(rig.path('f'), { author: A.id });
    expect(rig.read('f')).toBe('A1 mine\nmiddle\nmiddle\ntwo\nB\n');
  });

  it('property: undoing what one made never changes a line of another, and undoing all gives the text before', () => {
    const edit = fc.record({ by: fc.nat(2), at: fc.nat(30), remove: fc.nat(3), add: fc.nat(3), ends: fc.boolean() });
    fc.assert(
      fc.property(fc.nat(10), fc.boolean(), fc.array(edit, { maxLength: 12 }), fc.constantFrom(...ORDERS), (size, ends, edits, order) => {
        const text = ends ? numbered(size) : numbered(size).slice(0, -1);
        let passages: readonly Passage[] = [untouched(linesOf(text))];
        for (const [number, { by, ...change }] of edits.entries()) {
          passages = written(passages, edited(passages.flatMap(writtenLines), `${by} ${number}`, change), AUTHORS[by] ?? A, diffArrays);
        }
        let pair: TextPair = { baseline: text, agent: passages.flatMap(writtenLines).join(''), passages };
        expect(passages.flatMap(({ before }) => before).join('')).toBe(text);
        const kept = reviewText(pair, pair.agent, diffArrays).keepOf(order[0]?.id ?? '');
        expect(kept.agent).toBe(pair.agent);
        expect(reviewText(kept, kept.agent, diffArrays).hunks.filter(({ by = CHAT_AUTHOR }) => by.id === order[0]?.id)).toEqual([]);
        for (const { id } of order) {
          const own = `${AUTHORS.findIndex((author) => author.id === id)} `;
          const before = pair.agent.split('\n').filter((line) => /^\d /.test(line) && !line.startsWith(own));
          const undone = reviewText(pair, pair.agent, diffArrays).undoOf(id);
          expect(undone.text).toBe(undone.pair.agent);
          pair = undone.pair;
          const lines = pair.agent.split('\n');
          // Lines that this one had replaced may be there again.
          expect(lines.filter((line) => before.includes(line))).toEqual(before);
          expect(lines.filter((line) => line.startsWith(own))).toEqual([]);
        }
        expect(pair).toMatchObject({ baseline: text, agent: text });
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('property: whatever is edited, kept, undone, and loaded again, no line of another or of the user is lost, joined, or doubled', () => {
    const kind = fc.constantFrom('agent', 'agent', 'agent', 'user', 'undoOf', 'undoHunk', 'keepOf', 'keepHunk', 'load');
    const step = fc.record({
      kind,
      by: fc.nat(2),
      at: fc.nat(30),
      remove: fc.nat(3),
      add: fc.nat(3),
      ends: fc.boolean(),
      end: fc.constantFrom('\n', '\n', '\n', '\r\n'),
    });
    fc.assert(
      fc.property(fc.nat(10), fc.boolean(), fc.boolean(), fc.array(step, { maxLength: 14 }), (size, ends, hasAuthors, steps) => {
        const text = ends ? numbered(size) : numbered(size).slice(0, -1);
        const review = new Reviewing(text, hasAuthors);
        for (const [number, { kind: what, by, at, ...change }] of steps.entries()) {
          if (what === 'agent') review.agent(hasAuthors ? by : 2, number, { at, ...change });
          else if (what === 'user') review.user(number, { at, ...change });
          else if (what === 'load') review.load();
          else if (what === 'undoOf' || what === 'undoHunk') review.undo(what === 'undoOf' && hasAuthors ? { by } : { at });
          else review.keep(what === 'keepOf' && hasAuthors ? { by } : { at });
        }
        review.undoAll();
        if (steps.every(({ kind: what }) => what === 'agent' || what === 'load')) expect(review.present).toBe(text);
      }),
      { numRuns: runs(3_000) },
    );
  });
});

function ofB({ by }: Hunk): boolean {
  return by?.id === B.id;
}

async function typed(rig: AuthorsRig, line: string): Promise<void> {
  rig.write('f', `${rig.read('f')}${line}`);
  await rig.ledger.refresh(rig.path('f'));
}

/** A file that agents and the user edit, whose lines begin with the number of the agent, or with u. */
class Reviewing {
  private pair: TextPair;
  present: string;

  constructor(text: string, hasAuthors: boolean) {
    this.pair = { baseline: text, agent: text, ...(hasAuthors ? { passages: [untouched(linesOf(text))] } : {}) };
    this.present = text;
  }

  agent(by: number, number: number, change: Edit): void {
    const { baseline, passages } = this.review.keep(({ edited: isEdited }) => isEdited);
    const lines = edited(linesOf(this.present), `${by} ${number}`, change);
    this.present = lines.join('');
    const made = passages === undefined ? {} : { passages: written(passages, lines, AUTHORS[by] ?? A, diffArrays) };
    this.pair = { baseline, agent: this.present, ...made };
    this.look();
  }

  user(number: number, change: Edit): void {
    this.present = edited(linesOf(this.present), `u ${number}`, change).join('');
    this.look();
  }

  load(): void {
    const { baseline, agent, passages } = this.pair;
    if (passages === undefined) return;
    const { authors, passages: stored } = storedPassages(passages);
    const loaded = parsePassages({ authors, passages: JSON.parse(JSON.stringify(stored)) }, { before: linesOf(baseline), agent: linesOf(agent) });
    expect(loaded).toEqual(passages);
  }

  undo(of: { readonly by: number } | { readonly at: number }): void {
    const { review } = this;
    const hunk = 'at' in of ? review.hunks[of.at % Math.max(1, review.hunks.length)] : undefined;
    const author = 'by' in of ? AUTHORS[of.by] : (hunk?.by ?? CHAT_AUTHOR);
    const undone = 'by' in of ? review.undoOf(author?.id ?? '') : review.undo(({ index }) => index === hunk?.index);
    const own = `${AUTHORS.findIndex(({ id }) => id === author?.id)} `;
    this.expectKept(undone.text, (line) => /^[u\d] /.test(line) && !line.startsWith(own));
    [this.present, this.pair] = [undone.text, undone.pair];
    this.look();
  }

  keep(of: { readonly by: number } | { readonly at: number }): void {
    const { review } = this;
    this.pair = 'by' in of ? review.keepOf(AUTHORS[of.by]?.id ?? '') : review.keep(({ index }) => index === of.at % Math.max(1, review.hunks.length));
    this.look();
  }

  undoAll(): void {
    const { text, pair } = this.review.undoAll();
    this.expectKept(text, (line) => line.startsWith('u '));
    [this.present, this.pair] = [text, pair];
  }

  private get review(): TextReview {
    return reviewText(this.pair, this.present, diffArrays);
  }

  private look(): void {
    this.pair = this.review.pair;
  }

  /** Expects lines to be there as often as before, in the same order, each a line of its own. */
  private expectKept(text: string, stays: (line: string) => boolean): void {
    const before = this.present.split(/\r?\n/).filter(stays);
    const now = text.split(/\r?\n/);
    expect(now.filter((line) => before.includes(line))).toEqual(before);
    expect(now.filter((line) => !/^([u\d] \d+\.\d+|line \d+)?$/.test(line))).toEqual([]);
  }
}

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly add: number;
  readonly ends: boolean;
  readonly end?: string;
}

/** Lines after an edit that writes lines with a mark. */
function edited(lines: readonly string[], mark: string, { at, remove, add, ends, end = '\n' }: Edit): readonly string[] {
  const place = at % (lines.length + 1);
  const fresh = Array.from({ length: add }, (_, index) => `${mark}.${index}${end}`);
  const text = [...lines.slice(0, place), ...fresh, ...lines.slice(place + remove)].map((line) => (line.endsWith('\n') ? line : `${line}${end}`)).join('');
  return linesOf(ends ? text : text.replace(/\r?\n$/, ''));
}
