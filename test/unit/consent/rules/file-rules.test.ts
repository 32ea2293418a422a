import { describe, expect, it } from 'vitest';
import type { ConfigOrigin } from '../../../../src/domain/config/origin.js';
import type { LayerFile } from '../../../../src/node/config/layer-files.js';
import { FileRules } from '../../../../src/consent/rules/file-rules.js';

const PROJECT: ConfigOrigin = { layer: 'project', file: '/ws/.claude/settings.json', display: '.claude/settings.json', folder: '/ws' };
const OF_CLAUDE: ConfigOrigin = { layer: 'user', file: '/home/me/.claude/settings.json', display: '~/.claude/settings.json' };
const RULES = '{"permissions":{"deny":["Bash(rm:*)"],"ask":["Bash(git push:*)"],"allow":["Bash(npm test)"]}}';

const file = (text: string, origin = PROJECT): LayerFile => ({ origin, form: 'settings', text });

describe('rules of settings files', () => {
  it('are those of settings, and of no other file', () => {
    const rules = new FileRules();
    rules.take([file(RULES), { ...file(RULES), form: 'cursor' }]);
    expect(rules.sources()).toEqual([
      {
        place: 'file',
        id: 'file:///ws/.claude/settings.json',
        label: '.claude/settings.json',
        lists: { deny: ['Bash(rm:*)'], ask: ['Bash(git push:*)'], allow: ['Bash(npm test)'] },
      },
    ]);
    expect(rules.damage()).toEqual([]);
  });

  it('S-04: are the user’s alone in the local file of Gnomon, unless Git tracks it, and the organization’s in the managed one', () => {
    const rules = new FileRules();
    const local: ConfigOrigin = { layer: 'local', file: '/ws/.gnomon/settings.local.json', display: '.gnomon/settings.local.json', folder: '/ws' };
    const managed: ConfigOrigin = { layer: 'managed', file: '/etc/gnomon/managed-settings.json', display: '/etc/gnomon/managed-settings.json' };
    rules.take([
      file(RULES, managed),
      file(RULES, local),
      file(RULES, { ...local, layer: 'project' }),
      file(RULES, { ...local, display: '.claude/settings.local.json' }),
    ]);
    expect(rules.sources().map(({ place }) => place)).toEqual(['managed', 'local', 'file', 'file']);
  });

  it('of another program of the user restrict, and allow nothing', () => {
    const rules = new FileRules();
    rules.take([file(RULES, OF_CLAUDE)]);
    expect(rules.sources()).toMatchObject([{ place: 'userFile', lists: { deny: ['Bash(rm:*)'], allow: undefined } }]);
  });

  it('S-06: of a file that breaks, what it denied and asked about stays, and what it allowed does not, until it is mended', () => {
    const rules = new FileRules();
    rules.take([file(RULES)]);
    rules.take([file('{"permissions":{"deny":["Bash(')]);
    expect(rules.sources()).toMatchObject([{ lists: { deny: ['Bash(rm:*)'], ask: ['Bash(git push:*)'], allow: undefined } }]);
    expect(rules.damage()).toEqual([expect.stringContaining('.claude/settings.json:1')]);
    rules.take([{ origin: PROJECT, form: 'settings', problem: 'It is not a text file.' }]);
    expect(rules.sources()).toMatchObject([{ lists: { deny: ['Bash(rm:*)'] } }]);
    rules.take([file('{"permissions":{"deny":["Bash(curl:*)"]}}')]);
    expect([rules.sources()[0]?.lists, rules.damage()]).toEqual([{ deny: ['Bash(curl:*)'], ask: undefined, allow: undefined }, []]);
    rules.take([]);
    expect([rules.sources(), rules.damage()]).toEqual([[], []]);
  });
});
