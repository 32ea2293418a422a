import { describe, expect, it } from 'vitest';
import {
  agentsSection,
  commandsSection,
  filesSection,
  rulesSection,
  settingsSection,
  skillsSection,
  stylesSection,
} from '../../../../src/chat/configuration/sections.js';
import { hooksSection } from '../../../../src/chat/configuration/gather-configuration.js';
import type { CommandFile } from '../../../../src/domain/config/skill.js';
import { placesOf, viewOf } from '../../../../src/chat/configuration/configuration-view.js';
import { entry, inWorkspace, listedHook, reportOf, settingsFile, skillsOf } from './rig.js';

const USER = { layer: 'user', file: 'gnomon.model', display: 'user settings' } as const;

describe('the settings', () => {
  it('S-05: say what counts, who set it, and what lost; those that are as they come follow', () => {
    const overridden = [
      { origin: { layer: 'project', file: 'gnomon.model', display: 'workspace settings' }, why: 'A workspace cannot set this.', value: 'demo/scripted' },
    ] as const;
    const { items, note } = settingsSection(
      [
        { key: 'gnomon.a', value: 1, overridden: [] },
        { key: 'gnomon.model', value: 'x/y', origin: USER, overridden },
      ],
      new Map([['gnomon.a', 'About a.']]),
      [],
    );
    expect(items.map(({ name, state, value, description }) => ({ name, state, value, description }))).toEqual([
      { name: 'gnomon.model', state: 'Modified', value: '"x/y"', description: undefined },
      { name: 'gnomon.a', state: 'Default', value: '1', description: 'About a.' },
    ]);
    expect(items[0]?.overridden).toEqual(overridden);
    expect(note).toBe('1 of 2 are modified.');
  });

  it('show no passwords, and neither lists nor objects, which may have keys in them', () => {
    const values = ['https://ada:hunter2secret@example.com/', ['sk-1'], { key: 'sk-2' }, null, undefined].map((value, index) => ({
      key: `gnomon.${index}`,
      value,
      overridden: [],
    }));
    const shown = settingsSection(values, new Map(), []).items.map(({ value }) => value);
    expect(shown.slice(1)).toEqual(['a list of 1', 'an object', 'null', '']);
    expect(shown[0]).not.toContain('hunter2secret');
  });
});

describe('the settings files', () => {
  it('S-09: say what became of each field, and why one cannot be read', () => {
    const { items } = filesSection([
      settingsFile({ env: { A: '1' }, hooks: {} }),
      { origin: inWorkspace('.cursor/hooks.json'), form: 'cursor', problem: 'Too large.' },
    ]);
    expect(items).toMatchObject([
      {
        name: '.claude/settings.json',
        state: 'Read',
        fields: [
          { field: 'env.A', state: 'refused', line: 3 },
          { field: 'hooks', state: 'used' },
        ],
      },
      { name: '.cursor/hooks.json', state: 'Not read', tone: 'wrong', description: 'Too large.' },
    ]);
  });

  it('S-09: have a problem for each field with a mistake in its name, once, with its line and the name that is meant', () => {
    const file = settingsFile(
      '{\n  "permision": { "deny": ["Read(a)"] },\n  "permissions": { "denny": [] },\n  "somethingOfATool": 1,\n  "outputstyle": "a",\n  "outputstyle": "b",\n  "tui": 1\n}',
    );
    const section = filesSection([file]);
    const problems = [
      ['permision', 2, 'permissions'],
      ['permissions.denny', 3, 'permissions.deny'],
      ['outputstyle', 6, 'outputStyle'],
    ] as const;
    expect(section.problems).toEqual(
      problems.map(([key, line, meant]) => ({
        file: '/ws/.claude/settings.json',
        key,
        line,
        message: `Gnomon does not know this field. Did you mean “${meant}”?`,
      })),
    );
    const report = reportOf(section);
    expect(viewOf(report).problems[0]?.place).toEqual({ id: '/ws/.claude/settings.json:2', display: '.claude/settings.json:2' });
    expect(placesOf(report).get('/ws/.claude/settings.json:2')).toMatchObject({ file: '/ws/.claude/settings.json', line: 2 });
  });
});

describe('the permission rules', () => {
  it('S-05: have the line that they are in, and what may be approved', () => {
    const file = settingsFile({ permissions: { allow: ['Bash(ls)'], deny: ['Read(a)', 'Read(b)'] } });
    const allowed = entry('Bash(ls)', { rule: { effect: 'allow', text: 'Bash(ls)', scope: 'workspace' }, state: 'needs_consent' });
    const pending = [{ source: allowed.source, rules: ['Bash(ls)'], fresh: ['Bash(ls)'] }];
    const { items } = rulesSection({ entries: [entry('Read(b)'), allowed], problems: [], pending }, [file]);
    expect(items.map(({ name, state, origin, subject }) => [name, state, origin?.line, subject?.actions])).toEqual([
      ['deny Read(b)', 'Counts', 8, undefined],
      ['allow Bash(ls)', 'Waits for approval', 4, ['review_rules']],
    ]);
  });

  it('of VS Code lead to their setting, and those of a file that is broken to the file', () => {
    const user = { place: 'user', id: 'user', label: 'your user settings', lists: { allow: undefined, ask: undefined, deny: [] } } as const;
    const { items, problems } = rulesSection({ entries: [entry('Edit(x)', { source: user }), entry('Read(a)')], problems: ['“x” is no rule.'], pending: [] }, [
      settingsFile('{ "permissions": '),
    ]);
    expect(items.map(({ origin }) => [origin?.layer, origin?.file, origin?.line])).toEqual([
      ['user', 'gnomon.permissions.deny', undefined],
      ['project', '/ws/.claude/settings.json', undefined],
    ]);
    expect(problems).toEqual([{ file: '', key: '', message: '“x” is no rule.' }]);
  });
});

describe('the hooks', () => {
  const listed = [
    listedHook('new'),
    listedHook('changed', { standing: { state: 'changed', before: 'command: "old"' } }),
    listedHook(
      'own',
      { standing: { state: 'approved' }, needsApproval: false },
      { origin: { layer: 'user', file: '/home/ada/.claude/settings.json', display: '~/.claude/settings.json' } },
    ),
  ];

  it('H-41: say what decides what each does, where it stands, and what can be done', () => {
    const { items } = hooksSection(
      listed.map((each) => ({ listed: each, scripts: 1 })),
      { trusted: true, problems: [] },
    );
    expect(items.map(({ value, state, subject }) => [value, state, subject?.actions, subject?.type === 'hook' && subject.triable])).toEqual([
      ['new', 'Waits for approval', ['approve_hook', 'open_scripts'], false],
      ['changed', 'Changed since approval', ['approve_hook', 'open_scripts'], false],
      ['own', 'In use', ['open_scripts'], true],
    ]);
    expect(items[0]?.facts).toEqual(
      expect.arrayContaining([
        { name: 'event', value: 'PreToolUse' },
        { name: 'command', value: '"new"' },
        { name: 'timeout', value: '60000 ms' },
        { name: 'if it does not answer', value: 'blocks' },
      ]),
    );
  });

  it('of agents that work on a part wait for approval as all others do', () => {
    for (const event of ['SubagentStart', 'SubagentStop'] as const) {
      const { items } = hooksSection([{ listed: listedHook('x', { standing: { state: 'new' } }, { event }), scripts: 0 }], { trusted: true, problems: [] });
      expect(items).toMatchObject([{ state: 'Waits for approval', tone: 'waits', subject: { actions: ['approve_hook'], triable: false } }]);
    }
  });

  it('say that a guard which fails open does not guard then', () => {
    const open = hooksSection(
      [
        { listed: listedHook('x', {}, { onFailure: 'continue' }), scripts: 0 },
        { listed: listedHook('y'), scripts: 0 },
        { listed: listedHook('z', {}, { event: 'Stop', onFailure: 'continue' }), scripts: 0 },
      ],
      { trusted: true, problems: [] },
    );
    expect(open.items.map(({ description }) => description)).toEqual([
      'If it fails or takes too long, it does not guard: the call goes on.',
      undefined,
      undefined,
    ]);
  });

  it('H-40: can neither be approved nor run where the workspace is not trusted', () => {
    const { items } = hooksSection(
      listed.map((each) => ({ listed: each, scripts: 0 })),
      { trusted: false, problems: [] },
    );
    for (const { state, subject } of items)
      expect([state, subject?.actions, subject?.type === 'hook' && subject.triable]).toEqual(['Waits for trust', [], false]);
  });

  it('S-34: of an agent, a skill, or a command say when they run, and those that somebody else may have written can be approved', () => {
    const of = (kind: 'agent' | 'skill' | 'command', needsApproval: boolean) => ({
      listed: listedHook(
        'x',
        { needsApproval },
        { owner: { kind, name: 'notes' }, origin: { layer: 'user', file: '/home/ada/.claude/x.md', display: '~/.claude/x.md', line: 5 } },
      ),
      scripts: 0,
    });
    const { items } = hooksSection([of('agent', false), of('skill', true), of('command', true)], { trusted: true, problems: [] });
    expect(items.map(({ description, subject, origin }) => [description, subject?.actions, origin?.line])).toEqual([
      ['Only runs while the agent “notes” works.', [], 5],
      ['Only runs in chats that use the skill “notes”, from then on.', ['approve_hook'], 5],
      ['Only runs in chats that use the command “/notes”, from then on.', ['approve_hook'], 5],
    ]);
  });

  it('H-41: say what their approvals are not bound to, and which were given when less was bound', () => {
    const listed = listedHook('./a.sh', { standing: { state: 'approved', adds: true }, notBound: ['Not checked: this.'] });
    const { items } = hooksSection([{ listed, scripts: 0 }], { trusted: true, problems: [] });
    expect(items[0]).toMatchObject({
      state: 'In use',
      description: 'Gnomon now binds more of what it runs than when you approved it.',
      subject: { actions: ['approve_hook'] },
    });
    expect(items[0]?.facts).toContainEqual({ name: 'Note', value: 'Not checked: this.' });
  });

  it('keep their names when they change, and have a script’s path with its name', () => {
    const keys = (name: string): readonly string[] =>
      hooksSection(
        [
          { listed: listedHook('first'), scripts: 0 },
          { listed: listedHook(name), scripts: 0 },
        ],
        { trusted: true, problems: [] },
      ).items.map(({ key }) => key);
    expect(keys('a')).toEqual(keys('b'));
    const text = 'event: Stop\nscript "a: b.sh": SHA-256 00';
    const {
      items: [item],
    } = hooksSection([{ listed: listedHook('x', { text }), scripts: 1 }], { trusted: true, problems: [] });
    expect(item?.facts?.[1]).toEqual({ name: 'script "a: b.sh"', value: 'SHA-256 00' });
  });
});

describe('what files bring', () => {
  it('S-32: skills say what models are told of them, and what that takes', () => {
    const found = skillsOf(
      [
        { name: 'notes' },
        { name: 'secret', modelInvocable: false },
        ...Array.from({ length: 900 }, (_, index) => ({
          name: `one-of-very-many-skills-${index}`,
          description: 'A long description of what it does. '.repeat(5),
        })),
      ],
      ['project:notes'],
    );
    const { items, note } = skillsSection(found, { pinned: new Set(['project:notes']), waiting: [] });
    const of = (name: string) => items.find((item) => item.name === name);
    expect([of('notes')?.state, of('notes')?.subject?.actions]).toEqual(['Pinned', ['unpin_skill']]);
    expect([of('secret')?.state, of('secret')?.subject]).toEqual(['Only for you', undefined]);
    expect(items.some(({ state }) => state === 'Not listed')).toBe(true);
    expect(note).toMatch(/^The list for models takes about [\d,]+ tokens\. Not listed, because there are too many: \d+\.$/);
  });

  it('S-21: agents, commands, and styles have their losers, fields, and facts', () => {
    const agent = {
      name: 'reviewer',
      description: 'Reviews.',
      origin: inWorkspace('.claude/agents/r.md', 2),
      allowedTools: ['read', 'grep'],
      disallowedTools: [],
      skills: [],
      hooks: [],
      userInvocable: true,
      fields: [],
      definedServers: [
        {
          name: 'db',
          source: { scope: 'workspace', format: 'claude', file: '/ws/.claude/agents/r.md' },
          config: { type: 'stdio', command: 'db', args: [], env: {} },
        },
      ],
    } as const;
    const overridden = [{ origin: USER, why: 'weaker' }];
    const agents = agentsSection({ agents: [{ agent, name: 'reviewer', qualifiedName: 'project:reviewer', overridden }], waiting: [], problems: [] });
    expect(agents.items[0]).toMatchObject({
      name: 'reviewer',
      overridden,
      facts: [
        { name: 'Tools', value: 'read, grep' },
        { name: 'MCP servers that it alone has', value: 'db' },
      ],
    });
    const command: CommandFile = {
      name: 'release',
      description: 'Releases.',
      origin: inWorkspace('.claude/commands/release.md'),
      argumentHint: '[version]',
      argumentNames: [],
      allowedTools: [],
      hooks: [],
      firstArgument: 1,
      body: '',
      dialect: 'claude',
      fields: [],
    };
    const commands = commandsSection({ all: [command], problems: [], counts: () => false });
    expect(commands.items[0]).toMatchObject({ name: '/release', state: 'Waits for trust', tone: 'waits', facts: [{ name: 'Arguments', value: '[version]' }] });
    const style = {
      name: 'Terse',
      description: 'One line',
      origin: inWorkspace('.claude/output-styles/terse.md'),
      body: '',
      keepsCodingInstructions: true,
      fields: [],
    };
    expect(stylesSection({ styles: [style], waiting: [], problems: [] }, 'Terse').items[0]).toMatchObject({ name: 'Terse', state: 'In use' });
  });

  it('S-03: what waits for trust is named after what counts, with its place and nothing that could be done about it', () => {
    const agent = {
      name: 'reviewer',
      description: 'Reviews.',
      origin: inWorkspace('.claude/agents/r.md', 2),
      allowedTools: ['read'],
      disallowedTools: [],
      model: 'opus',
      skills: [],
      hooks: [],
      userInvocable: true,
      fields: [],
    };
    const own = { ...agent, origin: { layer: 'user', file: '/home/ada/.claude/agents/r.md', display: '~/.claude/agents/r.md' } } as const;
    const agents = agentsSection({
      agents: [{ agent: own, name: 'reviewer', qualifiedName: 'user:reviewer', overridden: [] }],
      waiting: [agent],
      problems: [],
    });
    const style = {
      name: 'Terse',
      description: 'One line',
      origin: inWorkspace('.claude/output-styles/terse.md'),
      body: 'x',
      keepsCodingInstructions: true,
      fields: [],
    };
    const skill = { origin: inWorkspace('.claude/skills/notes/SKILL.md'), folder: '/ws/.claude/skills/notes' };
    const skills = skillsSection(skillsOf([]), { pinned: new Set(), waiting: [skill] });
    const styles = stylesSection({ styles: [], waiting: [style], problems: [] }, 'Terse');
    const waits = { state: 'Waits for trust', tone: 'waits' };
    expect(agents.items.map(({ name, state }) => [name, state])).toEqual([
      ['reviewer', 'Available'],
      ['reviewer', 'Waits for trust'],
    ]);
    expect([agents.items[1], skills.items[0], styles.items[0]]).toEqual([
      { key: 'reviewer /ws/.claude/agents/r.md', name: 'reviewer', ...waits, description: 'Reviews.', origin: agent.origin },
      { key: 'notes /ws/.claude/skills/notes/SKILL.md', name: 'notes', ...waits, origin: skill.origin },
      { key: 'Terse /ws/.claude/output-styles/terse.md', name: 'Terse', ...waits, description: 'One line', origin: style.origin },
    ]);
    expect(skills.note).toBeUndefined();
  });
});
