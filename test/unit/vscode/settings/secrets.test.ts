import { afterEach, describe, expect, it } from 'vitest';
import { Secrets } from '../../../../src/vscode/settings/secrets.js';
import { memorySecrets } from '../models/memory-secrets.js';

const OWNER = { id: 'acme', keyVariable: 'GNOMON_TEST_ACME_KEY' };

describe('secrets', () => {
  afterEach(() => {
    Reflect.deleteProperty(process.env, OWNER.keyVariable);
  });

  it('keeps a key per provider, and prefers the stored one to the environment', async () => {
    const storage = memorySecrets();
    const secrets = new Secrets(storage);
    expect(await secrets.key(OWNER)).toBeUndefined();
    process.env[OWNER.keyVariable] = 'from-environment';
    expect(await secrets.key(OWNER)).toBe('from-environment');
    await secrets.set('acme', 'stored');
    await secrets.set('other', 'another');
    expect(await secrets.key(OWNER)).toBe('stored');
    expect([...storage.values.keys()]).toEqual(['gnomon.acme.apiKey', 'gnomon.other.apiKey']);
    expect(await secrets.isStored('acme')).toBe(true);
    await secrets.clear('acme');
    expect(await secrets.isStored('acme')).toBe(false);
    expect(await secrets.key(OWNER)).toBe('from-environment');
    process.env[OWNER.keyVariable] = '';
    expect(await secrets.key(OWNER)).toBeUndefined();
  });

  it('asks the storage once, and again after another window changed the key', async () => {
    const storage = memorySecrets({ 'gnomon.acme.apiKey': 'one' });
    const secrets = new Secrets(storage);
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
    const secrets = new Secrets(memorySecrets({ 'gnomon.acme.apiKey': 'one' }), used);
    expect([...used]).toEqual([]);
    await secrets.key(OWNER);
    await secrets.set('other', 'two');
    process.env[OWNER.keyVariable] = 'three';
    await secrets.clear('acme');
    await secrets.key(OWNER);
    expect([...used]).toEqual(['one', 'two']);
  });
});
