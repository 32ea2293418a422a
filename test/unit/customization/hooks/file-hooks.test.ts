import { handlerLine } from '../../../../src/domain/hook/definition.js';
import { describe, expect, it } from 'vitest';
import type { ConfigLayer, ConfigOrigin } from '../../../../src/domain/config/origin.js';
import type { LayerFile } from '../../../../src/node/config/layer-files.js';
import { filesSection } from '../../../../src/chat/configuration/sections.js';
import { FileHooks } from '../../../../src/customization/hooks/file-hooks.js';
import { definitionOf } from '../../../support/hook-rig.js';

const hook = (command: string, more: object = {}): object => ({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, ...more }] }] } });

function file(layer: ConfigLayer, content: unknown, over: Partial<Omit<LayerFile, 'text' | 'problem'>> = {}): LayerFile {
  const display = {
    managed: 'managed',
    flag: '--settings',
    user: '~/.claude/settings.json',
    project: '.claude/settings.json',
    local: '.claude/settings.local.json',
  }[layer];
  const origin: ConfigOrigin = { layer, file: `/${layer}`, display, ...(layer === 'project' || layer === 'local' ? { folder: '/ws' } : {}) };
  return { origin, form: 'settings', text: typeof content === 'string' ? content : JSON.stringify(content), ...over };
}

function taken(...files: readonly LayerFile[]): FileHooks {
  const hooks = new FileHooks('linux');
  hooks.take(files);
  return hooks;
}

const commands = ({ all }: FileHooks): readonly string[] => all.map(({ handler }) => handlerLine(handler));

describe('disableAllHooks', () => {
  const OFF = { disableAllHooks: true };
  const own = definitionOf({ event: 'PreToolUse', name: 'of a skill' });

  it('of the user or the organization switches off all hooks but those of the organization', () => {
    for (const layer of ['user', 'managed'] as const) {
      const hooks = taken(
        file('managed', hook('managed')),
        ...(layer === 'user' ? [] : [file('managed', OFF)]),
        file('user', { ...hook('user'), ...(layer === 'user' ? OFF : {}) }),
        file('project', hook('project')),
      );
      expect([commands(hooks), hooks.counting([own]), hooks.problems]).toEqual([['managed'], [], []]);
    }
  });

  it('of a workspace is refused, and says so: whoever writes its files could switch off what guards against them', () => {
    for (const layer of ['project', 'local'] as const) {
      const hooks = taken(file('user', hook('user')), file(layer, { ...hook(layer), ...OFF }));
      const isRefused = layer === 'project' || commands(hooks).length === 2;
      expect([layer, isRefused]).toEqual([layer, true]);
      expect(commands(hooks)).toEqual(['user', layer]);
      expect(hooks.counting([own])).toEqual([own]);
      expect(hooks.problems).toMatchObject([{ key: 'disableAllHooks', message: 'A workspace cannot switch off hooks. Set this in ~/.gnomon/settings.json.' }]);
    }
  });

  it('of anything but true switches off nothing', () => {
    for (const value of [false, 'true', 1, null, {}])
      expect([value, commands(taken(file('user', { ...hook('user'), disableAllHooks: value })))]).toEqual([value, ['user']]);
  });
});

describe('what is said of hook files', () => {
  it('has what is harmless as well: of the file, of its layer, and of an address that is forbidden', () => {
    const long = file('project', hook('a', { timeout: 10_000 }));
    const noted: LayerFile = { ...file('local', hook('b')), notice: 'It is shared with others.' };
    const limited = file('user', {
      allowedHttpHookUrls: ['https://ok.example/*'],
      hooks: { Stop: [{ hooks: [{ type: 'http', url: 'https://other.example/x' }] }] },
    });
    const { problems } = taken(limited, long, noted);
    expect(problems.map(({ file: path, harmless }) => [path, harmless])).toEqual([
      ['/project', true],
      ['/local', true],
      ['/user', true],
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('3,600 seconds'),
      'It is shared with others.',
      expect.stringContaining('allowedHttpHookUrls'),
    ]);
  });

  it('stays with the hooks that apply as before, while a file is broken', () => {
    const hooks = taken(file('project', hook('a', { timeout: 10_000 })));
    hooks.take([file('project', '{ "hooks": ')]);
    expect(commands(hooks)).toEqual(['a']);
    expect(hooks.problems.map(({ message, harmless }) => [message.slice(0, 29), harmless])).toEqual([
      ['The file is not valid JSON: a', undefined],
      ['Until the file is fixed, its ', true],
    ]);
    hooks.take([]);
    expect([commands(hooks), hooks.problems]).toEqual([[], []]);
  });

  it('is on the page for every field, in the row of its file', () => {
    const cursor = file('project', '{"version":1,"hooks":{"afterAgentResponse":[{"command":"a"}],"stop":[{"command":"b","loop_limit":2,"zzz":1}]}}', {
      form: 'cursor',
    });
    const settings = file('user', {
      model: 'x',
      hooks: { WorktreeCreate: [], FileChanged: [], Stop: [{ hooks: [{ type: 'command', command: 'a', asyncRewake: true, zzz: 1 }] }] },
    });
    const files = [cursor, settings];
    const hooks = taken(...files);
    const { items } = filesSection(files, (path) => hooks.fieldsOf(path));
    const unused = items.map(({ fields = [] }) => fields.filter(({ state }) => state !== 'used').map(({ field }) => field));
    expect(unused[0]).toEqual(['hooks.afterAgentResponse', 'hooks.stop[0].loop_limit', 'hooks.stop[0].zzz']);
    expect(unused[1]).toEqual(
      expect.arrayContaining(['hooks.WorktreeCreate', 'hooks.FileChanged', 'hooks.Stop[0].hooks[0].asyncRewake', 'hooks.Stop[0].hooks[0].zzz']),
    );
  });
});
