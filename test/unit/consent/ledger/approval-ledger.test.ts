import { linkSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.js';
import { kindOf, namesIn, SharedStorage, THINGS, thing } from './rig.js';

describe('approvals in the ledger', () => {
  it('are there for the next window as they were given, in a file that only the user can read', async () => {
    const storage = new SharedStorage();
    const { ledger } = storage.window();
    expect(storage.names).toEqual([]);
    await ledger.of(THINGS).change(() => [thing('a', 'text with “quotes”\n and \u202e')]);
    expect(storage.window().ledger.of(THINGS).list()).toEqual([thing('a', 'text with “quotes”\n and \u202e')]);
    expect(statSync(storage.file).mode & 0o777).toBe(0o600);
    expect(storage.names).toEqual(['gnomon-approvals.json']);
    expect(JSON.parse(storage.text)).toMatchObject({ version: 1, entries: [{ kind: 'thing', subject: 'a', value: { name: 'a' } }] });
  });

  it('replace what was approved about the same, and are no more than a kind keeps: the oldest are asked for again', async () => {
    const { ledger } = new SharedStorage().window();
    const store = ledger.of(THINGS);
    for (let count = 0; count < 12; count += 1) await store.change((all) => [thing(`${count}`), ...all]);
    expect(namesIn(ledger)).toEqual(['11', '10', '9', '8', '7', '6', '5', '4', '3', '2']);
    await store.change((all) => [thing('3', 'other'), ...all]);
    expect(store.list()[0]).toEqual(thing('3', 'other'));
    expect(namesIn(ledger).filter((name) => name === '3')).toHaveLength(1);
    await ledger.of(kindOf('other')).change(() => [thing('3')]);
    expect([namesIn(ledger).length, namesIn(ledger, kindOf('other'))]).toEqual([10, ['3']]);
  });

  it('of a workspace are valid in that one alone', async () => {
    const storage = new SharedStorage();
    const kind = kindOf('local', { perWorkspace: true });
    const [one, other] = [storage.window('/one').ledger, storage.window('/other').ledger];
    await one.of(kind).change(() => [thing('a', 'one')]);
    await other.of(kind).change((all) => [thing('b'), ...all]);
    expect([namesIn(one, kind), namesIn(other, kind), namesIn(storage.window('/one').ledger, kind)]).toEqual([['a'], ['b'], ['a']]);
    await other.of(kind).change(() => []);
    expect([namesIn(one, kind), namesIn(other, kind)]).toEqual([['a'], []]);
  });

  it('are not written where nothing changes', async () => {
    const storage = new SharedStorage();
    const { ledger } = storage.window();
    await ledger.of(THINGS).change((all) => all.filter(({ name }) => name !== 'a'));
    expect(storage.names).toEqual([]);
    await ledger.of(THINGS).change(() => [thing('a')]);
    const before = statSync(storage.file, { bigint: true });
    await ledger.of(THINGS).change((all) => [...all]);
    expect(statSync(storage.file, { bigint: true }).ino).toBe(before.ino);
  });

  it('that only another version knows are kept as they are, and grant nothing', async () => {
    const storage = new SharedStorage();
    const unknown = { kind: 'future', subject: 'x', value: { deep: [1, { a: null }] }, more: true };
    const newer = { kind: 'thing', subject: 'n', value: { name: 'n', text: 7 } };
    storage.put(JSON.stringify({ version: 1, takenOver: [], entries: [unknown, newer], note: 'kept' }));
    const { ledger } = storage.window();
    await ledger.of(THINGS).change((all) => [thing('a'), ...all]);
    await ledger.of(THINGS).change((all) => all.filter(({ name }) => name !== 'a'));
    expect(namesIn(ledger)).toEqual([]);
    expect(JSON.parse(storage.text)).toEqual({ version: 1, takenOver: [], entries: [unknown, newer], note: 'kept' });
    await ledger.of(THINGS).change((all) => [thing('n'), ...all]);
    expect(JSON.parse(storage.text)).toMatchObject({ entries: [{ subject: 'n', value: thing('n') }, unknown] });
  });
});

describe('what another window does', () => {
  it('is known before the next decision, and listeners are told of it once', async () => {
    const storage = new SharedStorage();
    const [mine, other] = [storage.window().ledger, storage.window().ledger];
    let told = 0;
    mine.onDidChange(() => (told += 1));
    await other.of(THINGS).change(() => [thing('a'), thing('b')]);
    expect(namesIn(mine)).toEqual(['a', 'b']);
    await mine.ready();
    expect(told).toBe(1);
    await other.of(THINGS).change((all) => all.filter(({ name }) => name !== 'a'));
    await mine.ready();
    expect([told, namesIn(mine)]).toEqual([2, ['b']]);
    await mine.of(THINGS).change((all) => [thing('c'), ...all]);
    await mine.ready();
    expect(told).toBe(2);
  });

  it('is neither lost nor undone by a change here, whatever was listed before', async () => {
    const storage = new SharedStorage();
    const [mine, other] = [storage.window().ledger, storage.window().ledger];
    await mine.of(THINGS).change(() => [thing('revoked'), thing('stays')]);
    const seen = mine.of(THINGS).list();
    await other.of(THINGS).change((all) => [thing('theirs'), ...all.filter(({ name }) => name !== 'revoked')]);
    await mine.of(THINGS).change((all) => all.map((each) => ({ ...each, text: `${each.text}, seen with ${seen.length}` })));
    expect([namesIn(mine), namesIn(other)]).toEqual([
      ['theirs', 'stays'],
      ['theirs', 'stays'],
    ]);
  });

  it('is known when the file was deleted: nothing is approved then', async () => {
    const storage = new SharedStorage();
    const { ledger } = storage.window();
    await ledger.of(THINGS).change(() => [thing('a')]);
    rmSync(storage.file);
    expect(namesIn(ledger)).toEqual([]);
  });
});

describe('a file that is no ledger', () => {
  const whole = JSON.stringify({ version: 1, takenOver: [], entries: [{ kind: 'thing', subject: 'a', value: thing('a') }] });
  const damages = [
    '',
    '{',
    whole.slice(0, -20),
    'null',
    '[]',
    '"x"',
    '{"version":1}',
    '{"version":"1","takenOver":[],"entries":[]}',
    whole.replace('"thing"', '7'),
  ];

  it.each(damages)('grants nothing, is kept aside, and is told of once: %s', async (text) => {
    const storage = new SharedStorage();
    storage.put(text);
    const { ledger, dialogs } = storage.window();
    expect(namesIn(ledger)).toEqual([]);
    await eventually(() => expect(dialogs.shown).toHaveLength(1));
    const [aside] = storage.names.filter((name) => name.startsWith('gnomon-approvals.json.damaged-'));
    expect(dialogs.shown[0]?.text).toContain(`asks again about the servers, hooks, and rules that you approved. The damaged file was kept as ${aside};`);
    expect(storage.names).toHaveLength(2);
    await ledger.of(THINGS).change((all) => [thing('b'), ...all]);
    const next = storage.window();
    expect([namesIn(next.ledger), next.dialogs.shown, dialogs.shown.length]).toEqual([['b'], [], 1]);
  });

  it('is noticed while the window is open, and again when it happens again', async () => {
    const storage = new SharedStorage();
    const { ledger, dialogs } = storage.window();
    for (const count of [1, 2]) {
      await ledger.of(THINGS).change(() => [thing('a')]);
      storage.put('damage');
      expect(namesIn(ledger)).toEqual([]);
      await eventually(() => expect(dialogs.shown).toHaveLength(count));
      expect(namesIn(ledger)).toEqual([]);
    }
  });

  it('of a newer version grants nothing, is left alone, and is told of once', async () => {
    const storage = new SharedStorage();
    const text = JSON.stringify({ version: 2, entries: { thing: ['a'] } });
    storage.put(text);
    const { ledger, dialogs } = storage.window();
    expect([namesIn(ledger), namesIn(ledger)]).toEqual([[], []]);
    await expect(ledger.of(THINGS).change(() => [thing('a')])).rejects.toThrow('newer version of Gnomon');
    expect([storage.text, storage.names.length, dialogs.shown.length]).toEqual([text, 1, 1]);
  });

  it('cannot be a link, a folder, or too large: nothing is granted or written, and it is told of once', async () => {
    const elsewhere = (storage: SharedStorage): void => {
      writeFileSync(join(storage.folder, 'elsewhere'), whole);
      symlinkSync('elsewhere', storage.file);
    };
    const large = (storage: SharedStorage): void => storage.put(`${whole}${' '.repeat(33 * 1024 * 1024)}`);
    for (const make of [elsewhere, (storage: SharedStorage) => mkdirSync(storage.file), large]) {
      const storage = new SharedStorage();
      make(storage);
      const { ledger, dialogs } = storage.window();
      expect([namesIn(ledger), namesIn(ledger)]).toEqual([[], []]);
      await expect(ledger.of(THINGS).change(() => [thing('b')])).rejects.toThrow(/^Gnomon cannot read your saved approvals.*gnomon-approvals\.json: ./);
      expect(dialogs.shown).toHaveLength(1);
    }
  });

  it('that cannot be read asks until it can, and then is valid again', async () => {
    const storage = new SharedStorage();
    storage.put(whole);
    const { ledger, dialogs } = storage.window();
    // A folder in its place: what a file may not be read by others would not keep from root.
    renameSync(storage.file, `${storage.file}.away`);
    mkdirSync(storage.file);
    expect(namesIn(ledger)).toEqual([]);
    await expect(ledger.of(THINGS).change(() => [thing('b')])).rejects.toThrow('cannot read your saved approvals');
    rmdirSync(storage.file);
    renameSync(`${storage.file}.away`, storage.file);
    expect([namesIn(ledger), dialogs.shown.length]).toEqual([['a'], 1]);
  });
});

it('a change replaces the name alone: what has another name for the old file sees the old one', async () => {
  const storage = new SharedStorage();
  const { ledger } = storage.window();
  await ledger.of(THINGS).change(() => [thing('a')]);
  linkSync(storage.file, join(storage.folder, 'other-name'));
  const before = storage.text;
  await ledger.of(THINGS).change(() => []);
  expect(before).not.toBe(storage.text);
  expect(statSync(join(storage.folder, 'other-name')).size).toBe(before.length);
});
