import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConfigLayer } from '../../../../src/domain/config/origin.js';
import { type SkillReading, readSkill, skillBody } from '../../../../src/config/skills/read-skill.js';
import { runs } from '../../../support/runs.js';

function read(lines: readonly string[], layer: ConfigLayer = 'project', body = 'Read the log.'): SkillReading {
  const text = `---\nname: notes\n${lines.join('\n')}\n---\n${body}\n`;
  return readSkill(text, {
    origin: { layer, file: '/ws/.agents/skills/notes/SKILL.md', display: '.agents/skills/notes/SKILL.md', folder: '/ws' },
    folder: '/ws/.agents/skills/notes',
  });
}

describe('a skill', () => {
  it('S-30: has the fields of the standard and of Claude Code, each with a report and its line', () => {
    const { skill, problems } = read([
      'description: Writes notes.',
      'when_to_use: For releases.',
      'license: MIT',
      'compatibility: git',
      'metadata: { author: me }',
      'argument-hint: "[version]"',
      'disable-model-invocation: true',
      'user-invocable: false',
      'model: opus',
      'hooks: {}',
    ]);
    expect(skill).toMatchObject({
      name: 'notes',
      description: 'Writes notes. For releases.',
      folder: '/ws/.agents/skills/notes',
      argumentHint: '[version]',
      modelInvocable: false,
      userInvocable: false,
      hooks: [],
    });
    expect(skill?.fields.map(({ field, state, line }) => `${field} ${state} ${line}`)).toEqual([
      'name used 2',
      'description used 3',
      'when_to_use used 4',
      'license used 5',
      'compatibility used 6',
      'metadata used 7',
      'argument-hint used 8',
      'disable-model-invocation used 9',
      'user-invocable used 10',
      'model used 11',
      'hooks refused 12',
    ]);
    expect(skill?.fields.filter(({ state }) => state === 'ignored').every(({ note }) => note !== undefined)).toBe(true);
    expect(problems).toEqual([]);
  });

  it.each<ConfigLayer>(['project', 'local', 'user'])('S-34: allowed-tools of the layer %s wait for approval, and the report says so', (layer) => {
    const { skill } = read(['description: Writes notes.', 'allowed-tools: Bash(git log:*) Read, Grep'], layer);
    expect(skill?.allowedTools).toEqual(['Bash(git log:*)', 'Read', 'Grep']);
    const report = skill?.fields.find(({ field }) => field === 'allowed-tools');
    expect(report).toMatchObject({ state: 'used', line: 4 });
    expect(report?.note).toContain('once you have approved it');
  });

  it('S-40: has a model, an agent and an effort for the turn in which the user activates it, but not those of a chat of its own', () => {
    expect(read(['description: x', 'model: opus', 'agent: writer', 'effort: high']).skill).toMatchObject({ model: 'opus', agent: 'writer', effort: 'high' });
    const { skill } = read(['description: x', 'context: fork', 'model: opus', 'agent: Explore']);
    expect([skill?.model, skill?.agent]).toEqual([undefined, undefined]);
    expect(skill?.fields.filter(({ field }) => field === 'model' || field === 'agent').map(({ state }) => state)).toEqual(['ignored', 'ignored']);
  });

  it('S-34: has hooks with their lines and its name; their mistakes are reported, and the skill is used all the same', () => {
    const hooks = [
      'hooks:',
      '  PreToolUse:',
      '    - matcher: Bash',
      '      hooks:',
      '        - { type: command, command: ./guard.sh, once: true }',
      '  PostToolUse:',
      '    - hooks:',
      '        - { type: command, command: ./a.sh, timeout: soon }',
      '  PreTooluse: []',
      '  SubagentStop:',
      '    - hooks: [{ type: command, command: ./b.sh }]',
    ];
    const { skill, problems } = read(['description: Writes notes.', ...hooks]);
    const origin = { layer: 'project', file: '/ws/.agents/skills/notes/SKILL.md', display: '.agents/skills/notes/SKILL.md', folder: '/ws', line: 8 };
    expect(skill?.hooks).toEqual([
      {
        event: 'PreToolUse',
        matcher: 'Bash',
        handler: { type: 'command', command: './guard.sh' },
        timeoutMs: 60_000,
        once: true,
        dialect: 'claude',
        origin,
        owner: { kind: 'skill', name: 'notes' },
      },
      {
        event: 'SubagentStop',
        handler: { type: 'command', command: './b.sh' },
        timeoutMs: 60_000,
        dialect: 'claude',
        origin: { ...origin, line: 14 },
        owner: { kind: 'skill', name: 'notes' },
      },
    ]);
    expect(problems.map(({ file, key, line }) => `${file} ${key} ${line}`)).toEqual([
      '/ws/.agents/skills/notes/SKILL.md hooks.PostToolUse[0].hooks[0].timeout 11',
      '/ws/.agents/skills/notes/SKILL.md hooks.PreTooluse 12',
    ]);
    expect(problems[1]?.message).toContain('Did you mean “PreToolUse”?');
    const reports = skill?.fields.filter(({ field, state }) => field === 'hooks' || state !== 'used');
    expect(reports?.map(({ field, state, line }) => `${field} ${state} ${line}`)).toEqual(['hooks used 4']);
    expect(reports?.[0]?.note).toContain('once you have approved them');
  });

  it.each(['hooks: []', 'hooks: yes', 'hooks: { Stop: {} }', 'hooks: { PreToolUse: [{ hooks: 7 }] }'])(
    'S-34: is used without hooks, or with one that never answers, when it has %s',
    (field) => {
      const { skill, problems } = read(['description: Writes notes.', field]);
      expect(skill?.hooks.every(({ broken }) => broken !== undefined)).toBe(true);
      expect(problems.length).toBeGreaterThan(0);
    },
  );

  it('S-30: that breaks a limit which only other programs enforce is used, with a problem', () => {
    const { skill, problems, conforms } = read([`description: ${'x'.repeat(1025)}`, `compatibility: ${'y'.repeat(501)}`]);
    expect(skill?.description).toHaveLength(1025);
    expect(problems.map(({ key, line }) => `${key} ${line}`)).toEqual(['description 3', 'compatibility 4']);
    expect(conforms).toBe(false);
  });

  it('S-30: whose switches cannot be read is used with the usual ones, and a misspelt field is named', () => {
    const { skill, problems } = read(['description: Writes notes.', 'user-invocable: perhaps', 'licence: MIT']);
    expect(skill).toMatchObject({ modelInvocable: true, userInvocable: true });
    expect(problems.map(({ key, line }) => `${key} ${line}`)).toEqual(['user-invocable 4', 'licence 5']);
    expect(problems[1]?.message).toContain('license');
  });

  it('names characters that cannot be seen', () => {
    const { problems } = read(['description: Writes\u200B notes.'], 'project', 'Go on.\u202E');
    expect(problems.map(({ key, line }) => `${key} ${line}`)).toEqual(['description 3', ' 5']);
  });

  const WRONG = ['../x', 'Notes', '--', 'other', 'Release Notes', 'n'.repeat(65), '更新', ''];
  it.each(WRONG)('S-30: is used by the name of its folder, with a problem, when its own is %j (agentskills.io, “Lenient validation”)', (name) => {
    const origin = { layer: 'user', file: 'C:\\Users\\me\\.agents\\skills\\notes\\SKILL.md', display: 'x' } as const;
    const { skill, skipped, problems, conforms } = readSkill(`---\nname: "${name}"\ndescription: x\n---\n`, { origin, folder: 'x' });
    expect([skill?.name, skipped, conforms]).toEqual(['notes', undefined, false]);
    expect(problems.find(({ message }) => message.endsWith('It is used as “notes”.'))).toMatchObject({ key: 'name', line: 2 });
  });

  it.each([
    ['Release-Notes', 'Release-Notes', 'release-notes'],
    ['Release Notes', undefined, 'release-notes'],
    ['release_notes', 'release_notes', 'release-notes'],
    ['-notes--', '-notes--', 'notes'],
    ['a'.repeat(80), 'a'.repeat(80), 'a'.repeat(64)],
    ['Änderungen', 'Änderungen', 'anderungen'],
    ['更新', 'notes', 'notes'],
    ['更新', '更新', undefined],
    ['аdmin', 'аdmin', undefined],
    ['..', '---', undefined],
  ])('S-30: in the folder %j with the name %j is used as %j', (folder, name, used) => {
    const origin = { layer: 'project', file: `/ws/.claude/skills/${folder}/SKILL.md`, display: 'x' } as const;
    const { skill, skipped } = readSkill(`---\n${name === undefined ? '' : `name: "${name}"\n`}description: x\n---\n`, { origin, folder: 'x' });
    expect([skill?.name, skipped === undefined]).toEqual([used, used !== undefined]);
  });

  it('S-30: never throws, whatever its file has, and never has a name that is not its folder’s', () => {
    const lines = fc.constantFrom(
      '---',
      'name: notes',
      'description: x',
      'name: "\\u0000"',
      'metadata:',
      '  - [',
      '\t',
      'allowed-tools: (((',
      'arguments: [a, {}]',
      'description: |',
      '\u202e',
      '? x',
      '&a *a',
      '!!js/function x',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(fc.oneof(lines, fc.string()), { maxLength: 12 }).map((all) => ['---', ...all].join('\n')),
        ),
        (text) => {
          const { skill, skipped } = readSkill(text, { origin: { layer: 'project', file: '/ws/notes/SKILL.md', display: 'x' }, folder: '/ws/notes' });
          expect(skill?.name ?? 'notes').toBe('notes');
          expect(skill === undefined).toBe(skipped !== undefined);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('has what is behind the front matter as its text', () => {
    expect(skillBody('---\r\nname: notes\r\n---\r\n\r\n# Notes\r\nRead.\r\n')).toBe('# Notes\nRead.');
  });
});
