import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { takeOverEarlier } from '../../../../src/consent/ledger/take-over.js';
import type { ListedMemory } from '../../../../src/domain/host/memory.js';
import { ACCEPTED_EDITS } from '../../../../src/consent/accepted-edits.js';
import { INCLUDE_DECISIONS } from '../../../../src/consent/include-consent.js';
import { Consents, RULE_CONSENTS } from '../../../../src/consent/rules/consents.js';
import { TOOL_CHOICES } from '../../../../src/agent-host/servers/tool-choices.js';
import { sha256 } from '../../../../src/node/files/sha256.js';
import { kindOf, namesIn, SharedStorage, THINGS, thing } from './rig.js';

const LOCAL = kindOf('local', { perWorkspace: true });

/** A memory as VS Code keeps one. */
class Memento implements ListedMemory {
  readonly values = new Map<string, unknown>();
  get(key: string): unknown {
    return this.values.get(key);
  }
  keys(): readonly string[] {
    return [...this.values.keys()];
  }
  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, JSON.parse(JSON.stringify(value)));
    return Promise.resolve();
  }
}

/** A user with approvals of an earlier version, who has two workspaces. */
class EarlierUser {
  readonly storage = new SharedStorage();
  readonly global = new Memento();
  readonly local = { '/one': new Memento(), '/two': new Memento() };

  constructor() {
    this.global.values.set('earlier.thing', [thing('a'), thing('b'), 'damaged']);
    this.local['/one'].values.set('earlier.local', [thing('here')]);
  }

  /** Opens a window with this version. */
  async open(workspace: keyof EarlierUser['local'] = '/one') {
    const opened = this.storage.window(workspace);
    await takeOverEarlier(opened.ledger, {
      kinds: [THINGS, LOCAL],
      memory: { global: this.global, workspace: this.local[workspace] },
      storage: `/storage${workspace}`,
      workspace,
    });
    return opened;
  }
}

it('takes over what earlier versions kept, as far as it can be read, and leaves that where it is', async () => {
  const user = new EarlierUser();
  const { ledger } = await user.open();
  expect([namesIn(ledger), namesIn(ledger, LOCAL)]).toEqual([['a', 'b'], ['here']]);
  expect(user.global.get('earlier.thing')).toEqual([thing('a'), thing('b'), 'damaged']);
  const other = await user.open('/two');
  expect([namesIn(other.ledger), namesIn(other.ledger, LOCAL)]).toEqual([['a', 'b'], []]);
});

it('does so once: what is revoked does not come back, also when an earlier version runs in between and approves more', async () => {
  const user = new EarlierUser();
  const { ledger } = await user.open();
  await ledger.of(THINGS).change((all) => all.filter(({ name }) => name !== 'a'));
  await ledger.of(LOCAL).change(() => []);
  user.global.values.set('earlier.thing', [thing('new'), thing('a'), thing('b')]);
  user.local['/one'].values.set('earlier.local', [thing('here'), thing('new')]);
  user.local['/two'].values.set('earlier.local', [thing('there')]);
  const again = await user.open();
  expect([namesIn(again.ledger), namesIn(again.ledger, LOCAL)]).toEqual([['b'], []]);
  // This workspace was never open in this version.
  expect(namesIn((await user.open('/two')).ledger, LOCAL)).toEqual(['there']);
});

it('does so once even if the user deletes the ledger, or the memory forgets that it was done', async () => {
  const user = new EarlierUser();
  await (await user.open()).ledger.of(THINGS).change(() => []);
  for (const memory of [user.global, user.local['/one']]) memory.values.delete('gnomon.approvals.takenOver');
  expect(namesIn((await user.open()).ledger)).toEqual([]);
  rmSync(user.storage.file);
  const { ledger } = await user.open();
  expect([namesIn(ledger), namesIn(ledger, LOCAL)]).toEqual([[], []]);
});

it('takes nothing over into a ledger that follows a damaged one', async () => {
  const user = new EarlierUser();
  user.storage.put('damage');
  const { ledger } = await user.open();
  expect([namesIn(ledger), namesIn(ledger, LOCAL), namesIn((await user.open('/two')).ledger)]).toEqual([[], [], []]);
});

it('what the ledger has counts more than what is taken over', async () => {
  const user = new EarlierUser();
  await user.storage
    .window()
    .ledger.of(THINGS)
    .change(() => [thing('b', 'of a program without a window')]);
  const { ledger } = await user.open();
  expect(ledger.of(THINGS).list()).toEqual([thing('b', 'of a program without a window'), thing('a')]);
});

it('is tried again by the next window where the ledger cannot be written', async () => {
  const user = new EarlierUser();
  user.storage.put(JSON.stringify({ version: 2 }));
  await expect(user.open()).rejects.toThrow('newer version');
  rmSync(user.storage.file);
  expect(namesIn((await user.open()).ledger)).toEqual(['a', 'b']);
});

it('reads what each store kept', async () => {
  const memory = new Memento();
  const id = 'vscode-workspace file:///w';
  const digest = sha256(JSON.stringify([id, ['Bash(a)', 'Bash(b)']]));
  memory.values.set(`gnomon.allowConsent.${sha256(id)}`, { digest, rules: ['Bash(b)', 'Bash(a)'] });
  memory.values.set('gnomon.allowConsent.x', 'damaged');
  memory.values.set('gnomon.editorTools', { lookup: 'f1', broken: 7 });
  memory.values.set('gnomon.instructions.includes', [['/old', true], 'damaged', ['/new', false]]);
  memory.values.set('gnomon.acceptedEdits', ['first', 'last', 7]);
  const { ledger } = new SharedStorage().window();
  const kinds = [RULE_CONSENTS, TOOL_CHOICES, INCLUDE_DECISIONS, ACCEPTED_EDITS];
  await takeOverEarlier(ledger, { kinds, memory: { global: memory, workspace: memory }, storage: '/s', workspace: '/w' });
  const consents = new Consents(ledger.of(RULE_CONSENTS));
  expect([consents.covers({ id }, ['Bash(a)', 'Bash(b)']), consents.covers({ id }, ['Bash(a)']), consents.given({ id })]).toEqual([
    true,
    false,
    ['Bash(b)', 'Bash(a)'],
  ]);
  expect(ledger.of(TOOL_CHOICES).list()).toEqual([{ name: 'lookup', fingerprint: 'f1' }]);
  expect(ledger.of(INCLUDE_DECISIONS).list()).toEqual([
    { path: '/new', allowed: false },
    { path: '/old', allowed: true },
  ]);
  expect(ledger.of(ACCEPTED_EDITS).list()).toEqual([{ session: 'last' }, { session: 'first' }]);
  expect(ledger.of(RULE_CONSENTS).list()).toHaveLength(1);
});
