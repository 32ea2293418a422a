import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GuardedPlaces, layerStamp, readLayerFiles } from '../../../../src/node/config/layer-files.js';
import { NAMED_SECRETS } from '../../../support/named-secrets.js';

describe('the files of the layers', () => {
  let home: string;
  let folder: string;
  let places: GuardedPlaces;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'gnomon-layers-'));
    folder = join(home, 'project');
    await mkdir(folder);
    places = { folders: [folder], home, platform: 'linux', guards: NAMED_SECRETS };
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    const file = join(home, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  }

  async function read(): Promise<readonly (readonly [string, string])[]> {
    const files = await readLayerFiles(places, new AbortController().signal);
    return files.map((file) => [`${file.origin.layer} ${file.origin.display}`, 'text' in file ? file.text : file.problem] as const);
  }

  it('S-01: are those of the user, the project, and the local ones, and of Cursor and Copilot', async () => {
    for (const path of [
      '.gnomon/settings.json',
      '.claude/settings.json',
      '.cursor/hooks.json',
      '.copilot/hooks/c.json',
      '.github/hooks/no.json',
      'project/.gnomon/settings.json',
      'project/.claude/settings.json',
      'project/.claude/settings.local.json',
      'project/.cursor/hooks.json',
      'project/.github/hooks/b.json',
      'project/.github/hooks/a.json',
    ]) {
      await write(path, path);
    }
    expect((await read()).map(([where]) => where)).toEqual([
      'user ~/.gnomon/settings.json',
      'user ~/.claude/settings.json',
      'user ~/.cursor/hooks.json',
      'project .gnomon/settings.json',
      'project .claude/settings.json',
      'project .cursor/hooks.json',
      'local .claude/settings.local.json',
      'user ~/.copilot/hooks/c.json',
      'project .github/hooks/a.json',
      'project .github/hooks/b.json',
    ]);
  });

  it('are all read where there are many, and told where there are more', async () => {
    await Promise.all(Array.from({ length: 1_001 }, (_, index) => write(`project/.github/hooks/h${index}.json`, '{}')));
    const found = await read();
    expect(found).toHaveLength(1_001);
    expect(found.at(-1)).toEqual(['project .github/hooks', 'More than 1,000 files are in it. The others are not read.']);
  });

  it('of the workspace are not read through a link that leads out of it', async () => {
    await write('secret.json', 'secret');
    await mkdir(join(folder, '.claude'));
    await symlink(join(home, 'secret.json'), join(folder, '.claude', 'settings.json'));
    const [found] = await read();
    expect(found?.[0]).toBe('project .claude/settings.json');
    expect(found?.[1]).toContain('outside the workspace');
    expect(found?.[1]).not.toContain('secret"');
  });

  it('are those of the layers that are wanted, with what the user has given behind what the organization has', async () => {
    for (const path of ['.claude/settings.json', '.copilot/hooks/c.json', 'project/.claude/settings.json', 'project/.github/hooks/a.json'])
      await write(path, '{}');
    await write('project/.gnomon/settings.local.json', '{}');
    const given = { file: '--settings', display: '--settings', text: '{"model":"opus"}' };
    const all = places;
    const readOf = async (layers: GuardedPlaces['layers']): Promise<readonly string[]> => {
      places = { ...all, given, ...(layers === undefined ? {} : { layers }) };
      return (await read()).map(([where]) => where);
    };
    const [flag, user, copilot] = ['flag --settings', 'user ~/.claude/settings.json', 'user ~/.copilot/hooks/c.json'];
    const [project, hooks, local] = ['project .claude/settings.json', 'project .github/hooks/a.json', 'local .gnomon/settings.local.json'];
    expect(await readOf(undefined)).toEqual([flag, user, project, local, copilot, hooks]);
    expect(await readOf([])).toEqual([flag]);
    expect(await readOf(['user'])).toEqual([flag, user, copilot]);
    expect(await readOf(['project'])).toEqual([flag, project, hooks]);
    expect(await readOf(['local'])).toEqual([flag, local]);
    // With the repository that it is in, a local file comes from others.
    execFileSync('git', ['-C', folder, 'init', '-q']);
    execFileSync('git', ['-C', folder, 'add', '-f', '.gnomon/settings.local.json']);
    expect(await readOf(['local'])).toEqual([flag]);
    // A file does not become the user’s because their home folder is open.
    places = { ...all, folders: [home], layers: ['user'] };
    expect(await read()).toEqual([]);
  });

  it('do not let a link lead elsewhere because another layer of its folder is left out', async () => {
    await write('secret.json', 'secret');
    await mkdir(join(folder, '.claude'));
    await symlink(join(home, 'secret.json'), join(folder, '.claude', 'settings.local.json'));
    places = { ...places, layers: ['local'] };
    const [found] = await read();
    expect(found?.[1]).toContain('outside the workspace');
  });

  it('have another stamp whenever one is made, changed, or deleted, though its size and its time stay, and the same otherwise', async () => {
    const stamps = [await layerStamp(places)];
    const step = async (work: () => Promise<void>): Promise<void> => {
      await work();
      stamps.push(await layerStamp(places));
      expect(await layerStamp(places)).toBe(stamps.at(-1));
    };
    const settings = join(folder, '.claude', 'settings.json');
    await step(() => write('project/.claude/settings.json', '{"a":1}'));
    await step(async () => {
      await writeFile(settings, '{"a":2}');
      await utimes(settings, 1, 1);
    });
    await step(() => write('project/.github/hooks/a.json', '{}'));
    await step(() => rm(settings));
    expect(new Set(stamps).size).toBe(stamps.length);
  });
});
