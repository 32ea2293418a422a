import { afterEach, describe, expect, it } from 'vitest';
import { nameProblem } from '../../../../src/models/keys/key-choices.js';
import { Secrets } from '../../../../src/models/keys/secrets.js';
import { memoryChoices } from '../memory-choices.js';
import { type MemorySecrets, memorySecrets } from '../memory-secrets.js';

const OWNER = { id: 'acme', keyVariable: 'GNOMON_TEST_ACME_KEY' };

describe('secrets', () => {
  afterEach(() => {
    Reflect.deleteProperty(process.env, OWNER.keyVariable);
  });

  it('keeps a key per provider, and prefers the stored one to the environment', async () => {
    const storage = memorySecrets();
    const secrets = new Secrets(storage, memoryChoices());
    expect(await secrets.key(OWNER)).toBeUndefined();
    process.env[OWNER.keyVariable] = 'from-environment';
    expect(await secrets.key(OWNER)).toBe('from-environment');
    await secrets.set('acme', 'stored');
    await secrets.set('other', 'another');
    expect(await secrets.key(OWNER)).toBe('stored');
    expect([...storage.values.keys()]).toEqual(['gnomon.acme.apiKey', 'gnomon.other.apiKey']);
    expect(await secrets.names('acme')).toEqual(['default']);
    await secrets.clear('acme');
    expect(await secrets.names('acme')).toEqual([]);
    expect(await secrets.key(OWNER)).toBe('from-environment');
    process.env[OWNER.keyVariable] = '';
    expect(await secrets.key(OWNER)).toBeUndefined();
  });

  it('asks the storage once, and again after another window changed the key', async () => {
    const storage = memorySecrets({ 'gnomon.acme.apiKey': 'one' });
    const secrets = new Secrets(storage, memoryChoices());
    const changed: string[] = [];
    secrets.onDidChange((provider) => changed.push(provider));
    secrets.watch();
    for (let i = 0; i < 3; i += 1) expect(await secrets.key(OWNER)).toBe('one');
    expect(storage.asked).toBe(1);
    await storage.store('gnomon.acme.apiKey', 'two');
    expect(await secrets.key(OWNER)).toBe('two');
    await storage.store('something else', 'x');
    expect(changed).toEqual(['acme']);
  });

  it('notes each stored key that is used or set, and none of the environment, which is known already', async () => {
    const used = new Set<string>();
    const secrets = new Secrets(memorySecrets({ 'gnomon.acme.apiKey': 'one' }), memoryChoices(), used);
    expect([...used]).toEqual([]);
    await secrets.key(OWNER);
    await secrets.set('other', 'two');
    process.env[OWNER.keyVariable] = 'three';
    await secrets.clear('acme');
    await secrets.key(OWNER);
    expect([...used]).toEqual(['one', 'two']);
  });
});

describe('several keys of a provider', () => {
  const rig = (
    initial: Record<string, string> = {},
    chosen = new Map<string, unknown>(),
  ): { storage: MemorySecrets; secrets: Secrets; chosen: Map<string, unknown> } => {
    const storage = memorySecrets(initial);
    return { storage, chosen, secrets: new Secrets(storage, memoryChoices(chosen)) };
  };

  afterEach(() => {
    Reflect.deleteProperty(process.env, OWNER.keyVariable);
  });

  it('have names; the one that was stored before names came is the default', async () => {
    const { storage, secrets } = rig({ 'gnomon.acme.apiKey': 'old', 'gnomon.acme.other.apiKey': 'x', 'something else': 'y' });
    expect(await secrets.nameWhereSeveral(OWNER, 'm')).toBeUndefined();
    await secrets.set('acme', 'two', 'work');
    await secrets.set('acme', 'three', 'home');
    expect(await secrets.names('acme')).toEqual(['default', 'home', 'work']);
    expect([await secrets.key(OWNER), await secrets.key(OWNER, 'work'), await secrets.key(OWNER, 'nobody')]).toEqual(['old', 'two', undefined]);
    expect(await secrets.nameWhereSeveral(OWNER, 'm')).toBe('default');
    expect(storage.values.get('gnomon.acme.apiKey')).toBe('old');
  });

  it('are chosen for a provider and for a model, and a choice for all models is for all', async () => {
    const { secrets } = rig({ 'gnomon.acme.apiKey': 'one', 'gnomon.acme.apiKey:work': 'two' });
    await secrets.use('acme', 'big/model', 'work');
    expect([
      secrets.nameFor('acme'),
      secrets.nameFor('acme', 'big/model'),
      secrets.nameFor('acme', 'small'),
      secrets.nameFor('acme.other', 'big/model'),
    ]).toEqual(['default', 'work', 'default', 'default']);
    expect(await secrets.key(OWNER)).toBe('one');
    await secrets.use('acme', undefined, 'work');
    expect(await secrets.key(OWNER)).toBe('two');
    await secrets.use('acme', 'small', 'default');
    expect(secrets.nameFor('acme', 'small')).toBe('default');
    await secrets.use('acme', undefined, 'work');
    expect(secrets.nameFor('acme', 'small')).toBe('work');
  });

  it('keep being used under a new name', async () => {
    const { storage, secrets } = rig({ 'gnomon.acme.apiKey': 'one', 'gnomon.acme.apiKey:work': 'two' });
    await secrets.use('acme', 'm', 'work');
    await secrets.rename('acme', 'work', 'job');
    await secrets.rename('acme', 'default', 'home');
    expect([...storage.values.keys()].sort()).toEqual(['gnomon.acme.apiKey:home', 'gnomon.acme.apiKey:job']);
    expect([secrets.nameFor('acme'), secrets.nameFor('acme', 'm')]).toEqual(['home', 'job']);
    expect([await secrets.key(OWNER), await secrets.key(OWNER, 'job')]).toEqual(['one', 'two']);
    await secrets.rename('acme', 'nobody', 'x');
    expect(await secrets.names('acme')).toEqual(['home', 'job']);
  });

  it('leave their name where they were used when they are removed: neither another key nor the environment takes their place', async () => {
    process.env[OWNER.keyVariable] = 'from-environment';
    const { secrets } = rig({ 'gnomon.acme.apiKey:work': 'two' });
    await secrets.use('acme', undefined, 'work');
    expect(await secrets.hasSeveral(OWNER)).toBe(true);
    await secrets.clear('acme', 'work');
    expect([await secrets.key(OWNER), await secrets.nameWhereSeveral(OWNER, 'm')]).toEqual([undefined, 'work']);
    await secrets.use('acme', undefined, 'default');
    expect([await secrets.key(OWNER), await secrets.nameWhereSeveral(OWNER, 'm')]).toEqual(['from-environment', undefined]);
  });

  it('are several only with another one, the one in the environment included', async () => {
    const { secrets } = rig({ 'gnomon.acme.apiKey:work': 'two' });
    expect(await secrets.hasSeveral(OWNER)).toBe(false);
    process.env[OWNER.keyVariable] = 'from-environment';
    expect(await secrets.hasSeveral(OWNER)).toBe(true);
  });

  it('tell of every change, those of other windows and those of use too', async () => {
    const { storage, secrets } = rig({ 'gnomon.acme.apiKey': 'one' });
    const changed: string[] = [];
    secrets.onDidChange((provider) => changed.push(provider));
    secrets.watch();
    expect(await secrets.names('acme')).toEqual(['default']);
    await storage.store('gnomon.acme.apiKey:work', 'two');
    expect(await secrets.names('acme')).toEqual(['default', 'work']);
    expect(await secrets.key(OWNER, 'work')).toBe('two');
    await storage.store('gnomon.acme.apiKey:work', 'three');
    expect(await secrets.key(OWNER, 'work')).toBe('three');
    await secrets.use('acme', 'm', 'work');
    expect(changed).toEqual(['acme', 'acme', 'acme']);
  });

  it('are in the secret storage alone: what is stored of choices are names', async () => {
    const { secrets, chosen } = rig();
    await secrets.set('acme', 'sk-secret-value', 'work');
    await secrets.use('acme', 'm', 'work');
    expect([...chosen]).toEqual([['gnomon.keyChoices', { 'acme/m': 'work' }]]);
  });

  it.each([undefined, 7, 'x', null, ['a'], { acme: 5, 'acme/m': '' }])('do without choices that are none: %j', (stored) => {
    const { secrets } = rig({}, new Map([['gnomon.keyChoices', stored]]));
    expect(secrets.nameFor('acme', 'm')).toBe('default');
  });
});

it('names of keys cannot be empty, long, invisible, taken, or keys', () => {
  expect(['work', 'Büro 2', 'me@example.com', 'a key for school', 'skateboarding', ' x '].map((name) => nameProblem(name, ['home']))).toEqual(
    Array(6).fill(undefined),
  );
  const wrong = ['', '  ', 'x'.repeat(41), 'a\u202eb', 'a\nb', 'a:b', 'HOME', 'sk-ant-api03-abcdefghijk', 'AIzaSyA1234567', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'];
  expect(wrong.filter((name) => nameProblem(name, ['home']) === undefined)).toEqual([]);
});
