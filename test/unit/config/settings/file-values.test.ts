import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseValue } from '../../../../src/config/settings/choose-value.js';
import { FileValues } from '../../../../src/config/settings/file-values.js';
import { SETTING_KEYS } from '../../../../src/config/settings/setting-keys.js';
import { readLayerFiles } from '../../../../src/node/config/layer-files.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

describe('the settings in the files of a window', () => {
  let root: string;
  const values = new FileValues();
  const write = async (path: string, content: unknown): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const read = async (): Promise<void> => {
    const files = await readLayerFiles(
      { folders: [join(root, 'one'), join(root, 'two')], home: join(root, 'home'), platform: 'linux', guards: NAMED_SECRETS },
      new AbortController().signal,
    );
    values.take(files.filter(({ form }) => form === 'settings'));
  };
  /** The values for a setting, in the order of the files. */
  const found = (setting: string): readonly unknown[] => candidates(setting).map(({ value }) => value);
  const candidates = (setting: string): ReturnType<FileValues['candidates']> => values.candidates(keyOf(setting));
  const keyOf = (setting: string): (typeof SETTING_KEYS)[number] => {
    const key = SETTING_KEYS.find((each) => each.setting === setting);
    if (key === undefined) throw new Error(setting);
    return key;
  };
  const mode = (usual: string): unknown => chooseValue(keyOf('gnomon.permissionMode'), candidates('gnomon.permissionMode'), { usual, trusted: true }).value;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'gnomon-values-'));
    values.take([]);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('S-01: come in their order: in each layer Gnomon’s file before Claude Code’s, and the first folder before others', async () => {
    const paths = [
      'home/.gnomon/settings.json',
      'home/.claude/settings.json',
      ...['one', 'two'].flatMap((folder) =>
        ['settings.json', 'settings.local.json'].flatMap((name) => [`${folder}/.gnomon/${name}`, `${folder}/.claude/${name}`]),
      ),
    ];
    for (const path of paths) await write(path, { model: path });
    await read();
    const inLayer = (layer: string): readonly unknown[] =>
      candidates('gnomon.model')
        .filter(({ origin }) => origin.layer === layer)
        .map(({ value }) => value);
    expect(inLayer('user')).toEqual(['home/.gnomon/settings.json', 'home/.claude/settings.json']);
    expect(inLayer('project')).toEqual(['one/.gnomon/settings.json', 'one/.claude/settings.json', 'two/.gnomon/settings.json', 'two/.claude/settings.json']);
    expect(inLayer('local')).toEqual([
      'one/.gnomon/settings.local.json',
      'one/.claude/settings.local.json',
      'two/.gnomon/settings.local.json',
      'two/.claude/settings.local.json',
    ]);
  });

  it('S-06: a file that becomes invalid keeps what it made stricter, loses the rest, and says where', async () => {
    await write('one/.claude/settings.json', { permissions: { defaultMode: 'plan' }, maxCostUsd: 1, model: 'opus', outputStyle: 'Brief' });
    await read();
    await write('one/.claude/settings.json', '{\n  "permissions": { "defaultMode": "default" },\n  "model": "haiku"');
    await read();
    expect([mode('acceptEdits'), found('gnomon.maxCostUsd'), found('gnomon.model'), found('gnomon.outputStyle')]).toEqual(['plan', [1], [], []]);
    expect(values.problems).toMatchObject([
      { file: join(root, 'one/.claude/settings.json'), line: 3, message: expect.stringContaining('The file is not valid JSON') as string },
      { message: 'Until the file is fixed, only what it made stricter counts.' },
    ]);
    await read();
    expect(mode('acceptEdits')).toBe('plan');
    await write('one/.claude/settings.json', { model: 'haiku' });
    await read();
    expect([mode('acceptEdits'), found('gnomon.maxCostUsd'), found('gnomon.model'), values.problems]).toEqual(['acceptEdits', [], ['haiku'], []]);
  });

  it('S-06: a mistake in one value keeps what it was, where that is stricter', async () => {
    await write('home/.gnomon/settings.json', { maxTurns: 5, maxRounds: 9 });
    await read();
    await write('home/.gnomon/settings.json', { maxTurns: 'five', model: 'opus' });
    await read();
    expect([found('gnomon.maxTurns'), found('gnomon.maxRounds'), found('gnomon.model')]).toEqual([[5], [], ['opus']]);
    expect(values.problems.map(({ key }) => key)).toEqual(['maxTurns']);
  });

  it('a file that was invalid from the start, or is not there any more, says nothing', async () => {
    await write('one/.gnomon/settings.json', '{ "permissions": { "defaultMode": "plan" }');
    await read();
    expect([mode('default'), values.problems.length]).toEqual(['default', 1]);
    await write('one/.gnomon/settings.json', { permissions: { defaultMode: 'plan' } });
    await read();
    expect(mode('default')).toBe('plan');
    await rm(join(root, 'one/.gnomon/settings.json'));
    await read();
    await write('one/.gnomon/settings.json', '{');
    await read();
    expect(mode('default')).toBe('default');
  });

  it('S-08: a folder in the place of a file is reported, and the other files count', async () => {
    await mkdir(join(root, 'one/.gnomon/settings.json'), { recursive: true });
    await write('one/.claude/settings.json', { outputStyle: 'Brief' });
    await read();
    expect(found('gnomon.outputStyle')).toEqual(['Brief']);
    expect(values.problems).toMatchObject([{ file: join(root, 'one/.gnomon/settings.json'), key: '' }]);
  });
});
