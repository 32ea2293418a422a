import { describe, expect, it } from 'vitest';
import { explained, findExplained } from '../../../../src/chat/configuration/explain.js';
import { hooksSection } from '../../../../src/chat/configuration/gather-configuration.js';
import { rulesSection, settingsSection, skillsSection } from '../../../../src/chat/configuration/sections.js';
import { entry, listedHook, reportOf, settingsFile, skillsOf } from './rig.js';

const KEYS = ['model', 'permissionMode', 'outputStyle', 'notifications', 'maxTurns', 'sandbox', 'webSearch', 'thinking', 'commitMessages', 'fetch.timeout'];
const settings = KEYS.map((name, index) => ({
  key: `gnomon.${name}`,
  value: index,
  ...(index % 2 === 0
    ? { origin: { layer: 'user', file: '/home/ada/.gnomon/settings.json', display: '~/.gnomon/settings.json', line: index + 1 } as const }
    : {}),
  overridden:
    index === 0
      ? [
          {
            origin: { layer: 'project', file: '/ws/.gnomon/settings.json', display: '.gnomon/settings.json', line: 4 } as const,
            value: 'other',
            why: 'A workspace cannot set this.',
          },
        ]
      : [],
}));
const report = reportOf(
  settingsSection(settings, new Map(), []),
  rulesSection({ entries: [entry('Read(private/**)')], problems: [], pending: [] }, [settingsFile({ permissions: { deny: ['Read(private/**)'] } })]),
  hooksSection([{ listed: listedHook('guard', {}, { matcher: 'Bash' }), scripts: 0 }], { trusted: true, problems: [] }),
  skillsSection(skillsOf([{ name: 'release-notes' }]), { pinned: new Set(), waiting: [] }),
);
const explain = (key: string): unknown => explained(findExplained(report, key));

describe('S-05: what counts for a key', () => {
  it.each(KEYS.map((name, index) => [`gnomon.${name}`, index] as const))('is said of the setting %s, with its file, line, and losers', (key, index) => {
    expect(explain(key)).toEqual({
      key,
      value: index,
      ...(index % 2 === 0 ? { file: '/home/ada/.gnomon/settings.json', line: index + 1 } : {}),
      overridden: index === 0 ? [{ file: '/ws/.gnomon/settings.json', line: 4, value: 'other', why: 'A workspace cannot set this.' }] : [],
    });
    expect(explain(key.replace('gnomon.', '').toUpperCase())).toEqual(explain(key));
  });

  it('is said of a rule, a hook, and a skill by their names, and by the ids of their rows', () => {
    expect(explain('deny Read(private/**)')).toEqual({
      key: 'rules:deny Read(private/**) file:///ws/.claude/settings.json',
      value: 'Counts',
      file: '/ws/.claude/settings.json',
      line: 4,
      overridden: [],
    });
    expect(explain('PreToolUse Bash')).toMatchObject({ value: 'Waits for approval', file: '/ws/.claude/settings.json', line: 7 });
    expect(explain('hooks:PreToolUse /ws/.claude/settings.json 1')).toEqual(explain('PreToolUse Bash'));
    expect(explain('release-notes')).toMatchObject({ key: 'skills:release-notes', value: 'Listed' });
  });

  it('is an error that names the nearest key where there is none', () => {
    expect(() => explain('gnomon.modle')).toThrow('Nothing is configured under “gnomon.modle”. Did you mean “gnomon.model”?');
    expect(() => explain('something else entirely')).toThrow('Nothing is configured under “something else entirely”.');
  });
});
