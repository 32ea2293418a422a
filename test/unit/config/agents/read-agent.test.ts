import { describe, expect, it } from 'vitest';
import type { AgentReading } from '../../../../src/config/agents/agent-reading.js';
import { chooseAgents, findAgent } from '../../../../src/config/agents/choose.js';
import { readRoomodes } from '../../../../src/config/agents/read-roomodes.js';
import { agentOf, lines, originOf, read } from './rig.js';

const GOOD = '---\nname: good\ndescription: Works\n---\n\nWork.\n';
const whyOf = (text: string): string | undefined => {
  const {
    agents,
    skipped: [skipped],
    problems,
  } = read(text);
  expect(agents).toEqual([]);
  expect(
    problems.some(
      ({ message, harmless, file, line }) =>
        message === skipped?.why && harmless !== true && file === '/ws/.claude/agents/a.md' && line === skipped.origin.line,
    ),
  ).toBe(true);
  return skipped?.why;
};

describe('agents that cannot be used', () => {
  it.each([
    ['no name', '---\ndescription: b\n---\nx', 'no “name”'],
    ['an empty name', '---\nname: ""\ndescription: b\n---\nx', 'no “name”'],
    ['no description', '---\nname: a\n---\nx', 'no “description”'],
    ['no front matter', 'You work.', 'no front matter'],
    ['an empty file', '', 'no front matter'],
    ['bad YAML', '---\nname: "a\n---\nx', 'quotation mark'],
    ['a tab', '---\nname: a\n\tdescription: b\n---\nx', 'tab'],
    ['a field twice', '---\nname: a\nname: b\ndescription: c\n---\nx', 'twice'],
    ['no end', '---\nname: a\ndescription: b\n\nx', 'no end'],
    ['1 MB of text', `${GOOD}${'x'.repeat(1024 * 1024)}`, '1,048,576'],
    ['too much for a model', `${GOOD}${'x '.repeat(120_000)}`, '200,000'],
    ['a name that is a path', '---\nname: ../x\ndescription: b\n---\nx', 'cannot have the name'],
    ['a name with a colon', '---\nname: "user:x"\ndescription: b\n---\nx', 'cannot have the name'],
    ['a name that is an option', '---\nname: "-x"\ndescription: b\n---\nx', 'cannot have the name'],
    ['a name of two lines', '---\nname: "x\\ny"\ndescription: b\n---\nx', 'cannot have the name'],
    ['a name with something hidden', '---\nname: "x\\u202Ey"\ndescription: b\n---\nx', 'cannot be seen'],
    ['a reserved name', '---\nname: Default\ndescription: b\n---\nx', 'reserved'],
    ['a name with a meaning in JavaScript', '---\nname: __proto__\ndescription: b\n---\nx', 'reserved'],
    ['a long name', `---\nname: ${'x'.repeat(65)}\ndescription: b\n---\nx`, '64'],
    ['tools that are a number', '---\nname: a\ndescription: b\ntools: 5\n---\nx', 'more tools than it should'],
    ['tools that are switches', '---\nname: a\ndescription: b\ntools: { write: false }\n---\nx', 'more tools than it should'],
    ['disallowed tools that are no list', '---\nname: a\ndescription: b\ndisallowedTools: true\n---\nx', 'more tools than it should'],
    ['servers that are a number', '---\nname: a\ndescription: b\nmcpServers: 3\n---\nx', 'more tools than it should'],
  ])('S-22: %s', (_what, text, words) => {
    expect(whyOf(text)).toContain(words);
  });

  it.each([
    ['an alias', 'tools: &x [Read]\nskills: *x'],
    ['a function', 'tools: !!js/function "f"'],
    ['a bomb', 'a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]'],
  ])('S-26: %s', (_what, yaml) => {
    expect(whyOf(`---\nname: a\ndescription: b\n${yaml}\n---\nx`)).toContain('not allowed');
  });

  it('S-22: leave those of other files alone', () => {
    const texts = ['---\nname: "a\n---\n', GOOD, '---\nname: ../x\ndescription: b\n---\n'];
    expect(texts.flatMap((text) => read(text).agents.map(({ name }) => name))).toEqual(['good']);
  });

  it.each([
    '',
    'x',
    '[]',
    'customModes: 5',
    'customModes:\n\t- slug: a',
    'customModes: &a [*a]',
    '{"customModes": [',
    'null',
    '---\ncustomModes: []\n---\nx: 1',
  ])('S-22: a .roomodes file with %j', (text) => {
    const { agents, skipped, problems } = readRoomodes(text, { origin: originOf('.roomodes') });
    expect([agents.length, skipped.length, problems.length, problems[0]?.message]).toEqual([0, 1, 1, skipped[0]?.why]);
  });

  it('S-22: of modes, one that is broken leaves the others', () => {
    const modes = Array.from({ length: 120 }, (_, index) => `  - slug: m${index}\n    roleDefinition: x\n    groups: [read]\n`).join('');
    const { agents, problems } = readRoomodes(`customModes:\n  - 5\n${modes}`, { origin: originOf('.roomodes') });
    expect([agents.length, problems.length]).toEqual([99, 2]);
    expect(
      readRoomodes('customModes:\n  - slug: a\n    roleDefinition: x\n    groups: read', { origin: originOf('.roomodes') }).agents[0]?.allowedTools,
    ).toEqual(['ask', 'todo']);
  });
});

describe('what an agent may do', () => {
  it.each(['project', 'local'] as const)('S-24: bypassPermissions of the layer %s is refused by name', (layer) => {
    const { permissionMode, fields } = agentOf('permissionMode: bypassPermissions', originOf('.claude/agents/a.md', layer));
    expect(permissionMode).toBeUndefined();
    expect(fields.find(({ field }) => field === 'permissionMode')).toMatchObject({
      state: 'refused',
      line: 4,
      note: expect.stringContaining('bypassPermissions') as string,
    });
  });

  it.each(['user', 'managed'] as const)('bypassPermissions of the layer %s is taken', (layer) => {
    expect(agentOf('permissionMode: bypassPermissions', originOf('.claude/agents/a.md', layer)).permissionMode).toBe('bypassPermissions');
  });

  it.each([
    ['default', 'default', undefined],
    ['plan', 'plan', undefined],
    ['ask', 'ask', undefined],
    ['auto', 'default', undefined],
    ['dontAsk', 'default', true],
    ['DEFAULT', undefined, undefined],
    ['', undefined, undefined],
  ] as const)('the mode %s is %s', (written, mode, denies) => {
    const agent = agentOf(`permissionMode: "${written}"`);
    expect([agent.permissionMode, agent.deniesPrompts]).toEqual([mode, denies]);
  });

  it('S-24: hooks of a workspace are said to wait, and keep where they are', () => {
    const yaml = 'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./a.sh';
    const { hooks, fields } = agentOf(yaml);
    expect(hooks).toMatchObject([{ event: 'PreToolUse', origin: { layer: 'project', line: 8 } }]);
    expect(fields.find(({ field }) => field === 'hooks')?.note).toContain('approved');
    expect(agentOf(yaml, originOf('.claude/agents/a.md', 'user')).fields.find(({ field }) => field === 'hooks')?.note).toBeUndefined();
    expect(agentOf('hooks: [a]').fields.find(({ field }) => field === 'hooks')?.state).toBe('refused');
  });

  it('S-24: servers that an agent defines are read as those of files for servers, with their lines', () => {
    const list = agentOf(
      'mcpServers:\n  - mail\n  - my db:\n      command: db\n      args: ["--url", "${DB_URL}"]\n      env: { TOKEN: "${TOKEN:-none}" }\n  - web: { type: http, url: "https://x.example", headers: { A: b } }',
    );
    const source = { scope: 'workspace', format: 'claude', file: '/ws/.claude/agents/a.md', folder: '/ws' };
    expect(list.mcpServers).toEqual(['mail', 'my_db', 'web']);
    expect(list.definedServers).toEqual([
      {
        name: 'my db',
        source: { ...source, line: 6 },
        config: { type: 'stdio', command: 'db', args: ['--url', '${DB_URL}'], env: { TOKEN: '${TOKEN:-none}' } },
      },
      { name: 'web', source: { ...source, line: 10 }, config: { type: 'http', url: 'https://x.example', headers: { A: 'b' } } },
    ]);
    expect(list.fields.filter(({ field }) => /^mcpServers[.[]/.test(field)).map(({ field, state, line }) => [field, state, line])).toEqual([
      ['mcpServers["my db"]', 'used', 6],
      ['mcpServers.web', 'used', 10],
    ]);
    const mine = agentOf('mcpServers: { db: { command: db } }', originOf('.claude/agents/a.md', 'user'));
    expect(mine.definedServers?.[0]?.source).toEqual({ scope: 'user', format: 'claude', file: '/home/me/.claude/agents/a.md', line: 4 });
    expect(agentOf('mcpServers: [mail]').definedServers).toBeUndefined();
  });

  it('S-24: servers of VS Code’s and GitHub’s agents have their syntax', () => {
    const text =
      '---\ndescription: b\nmcp-servers:\n  docs:\n    type: local\n    command: docs\n    args: ["${workspaceFolder}"]\n    tools: ["*"]\n  issues:\n    type: http\n    url: https://x.example\n    tools: ["find"]\n---\nx';
    const {
      agents: [agent],
      problems,
    } = read(text, { dialect: 'vscode', origin: originOf('.github/agents/a.agent.md') });
    expect(agent?.mcpServers).toEqual(['docs', 'issues']);
    expect(agent?.definedServers?.map(({ config, source: { format, line } }) => [config.type, format, line])).toEqual([
      ['stdio', 'vscode', 4],
      ['http', 'vscode', 9],
    ]);
    expect(problems).toMatchObject([{ key: 'mcp-servers.issues.tools', line: 9, harmless: true }]);
    const asking = read('---\ndescription: b\nmcp-servers:\n  docs: { command: docs, args: ["${input:key}"] }\n---\nx', {
      dialect: 'vscode',
      origin: originOf('.github/agents/a.agent.md'),
    });
    expect([asking.agents[0]?.definedServers, asking.problems.map(({ line, message }) => `${line} ${message}`)]).toEqual([
      undefined,
      ['4 Nobody can be asked for the input “key” here. Use a variable of the environment such as ${env:NAME}.'],
    ]);
  });

  it('S-24: a server that cannot be used is a problem, and the agent works without it', () => {
    const {
      agents: [agent],
      problems,
    } = read(
      '---\nname: a\ndescription: b\nmcpServers:\n  - db: { command: "rm -rf /" }\n  - ok: { command: ok }\n  - ok: { command: other }\n  - none:\n  - secret: { command: x, env: { A: "${{ secrets.A }}" } }\n---\nx',
    );
    expect(agent?.definedServers).toBeUndefined();
    expect(problems.map(({ key, line }) => `${key}:${line}`)).toEqual([
      'mcpServers.ok:6',
      'mcpServers.ok:7',
      'mcpServers.db.command:5',
      'mcpServers.none:8',
      'mcpServers.secret.env.A:9',
    ]);
    expect(
      agent?.fields.filter(({ field, state }) => field.startsWith('mcpServers.') && state === 'refused' && field !== '').map(({ note }) => note !== undefined),
    ).toEqual([true, true, true, true, true]);
  });

  it('S-24: a tool that is limited to some arguments is left out where it is given, and taken away wholly', () => {
    expect(agentOf('tools: Bash(git:*), Read')).toMatchObject({ allowedTools: ['read'] });
    expect(agentOf('disallowedTools: Bash(rm:*)')).toMatchObject({ allowedTools: ['*'], disallowedTools: ['bash', 'jobs'] });
  });

  it('what should be taken away and is not known is a problem', () => {
    const { problems } = read('---\nname: a\ndescription: b\ndisallowedTools: Bsh\n---\nx');
    expect(problems).toMatchObject([{ key: 'disallowedTools', line: 4, message: 'Gnomon does not know the tool “Bsh”.' }]);
    expect(problems[0]?.harmless).toBeUndefined();
  });

  it('an agent whose tools are all unknown has none, and says so', () => {
    const { agents, problems } = read('---\nname: a\ndescription: b\ntools: SendMessage, Frobnicate\n---\nx');
    expect([agents[0]?.allowedTools, problems.map(({ message }) => message)]).toEqual([[], ['The agent has no tools: Gnomon has none of those in “tools”.']]);
    expect(agentOf('tools: []').allowedTools).toEqual([]);
  });

  it('a field that is written in two ways counts once', () => {
    const {
      agents: [agent],
      problems,
    } = read('---\nname: a\ndescription: b\ntools: Read\nallowed-tools: Bash\n---\nx');
    expect(agent?.allowedTools).toEqual(['read']);
    expect(problems).toHaveLength(1);
  });

  it('a list of tools that is there in two spellings is for the user to choose from', () => {
    const { agents, skipped } = read('---\nname: a\ndescription: b\ntools: *\nTools: Read\n---\nx');
    expect([agents, skipped.map(({ why }) => why)]).toEqual([[], ['“tools” and “Tools” are the same field. Delete one of them.']]);
  });

  it('readonly leaves of a list what changes nothing', () => {
    const text = '---\nname: a\ndescription: b\ntools: Read, Bash, Write, mcp__db__*\nreadonly: true\n---\nx';
    expect(read(text, { dialect: 'cursor' }).agents[0]?.allowedTools).toEqual(['read']);
  });
});

describe('texts of agents', () => {
  it('S-20: systemPrompt comes before the text of the file', () => {
    expect(agentOf('systemPrompt: First.').systemPrompt).toBe('First.\n\nWork.');
    expect(read('---\nname: a\ndescription: b\n---\n').agents[0]?.systemPrompt).toBeUndefined();
  });

  it('that hide something are pointed out', () => {
    const { agents, problems } = read('---\nname: a\ndescription: b\n---\nBe kind.\u{E0041}\u200B\n');
    expect([agents.length, problems.map(({ key, line, message }) => [key, line, message.includes('U+E0041')])]).toEqual([1, [['', 5, true]]]);
    expect(read('---\nname: a\ndescription: "b\\u202Ec"\n---\nx').problems).toMatchObject([{ key: 'description', line: 3 }]);
    expect(read('---\nname: 👩‍💻 Coder\ndescription: b ✅️\n---\nWork.').agents[0]?.name).toBe('👩‍💻 Coder');
  });

  it.each([
    ['.NET Upgrade', 'NET Upgrade'],
    ['C#/.NET Janitor', 'C# .NET Janitor'],
    ['SE: Security', 'SE Security'],
    ['"Plan" | Build', 'Plan Build'],
    ['- x', 'x'],
    ['a*b<c>', 'a b c'],
    ['../up', 'up'],
    ['A'.repeat(70), 'A'.repeat(64)],
    ['Plan', 'Plan'],
  ])('the name %j, which VS Code shows as it is, is %j', (written, name) => {
    const source = { dialect: 'vscode', origin: originOf('.github/agents/a.agent.md') } as const;
    const {
      agents: [agent],
      problems,
    } = read(`---\nname: ${JSON.stringify(written)}\ndescription: b\n---\nx`, source);
    expect(agent?.name).toBe(name);
    const noted = name === written ? [] : [[`In Gnomon, the agent has the name “${name}”.`, true]];
    expect(problems.map(({ message, harmless }) => [message, harmless])).toEqual(noted);
    const choice = chooseAgents(agent === undefined ? [] : [agent]);
    expect([findAgent(choice, written)?.name, findAgent(choice, name)?.name]).toEqual([name, name]);
  });

  it.each(['::', '/', 'user', 'a\u200Bb'])('the name %j leaves nothing that an agent could be called', (written) => {
    expect(read(`---\nname: ${JSON.stringify(written)}\n---\nx`, { dialect: 'vscode', origin: originOf('.github/agents/a.agent.md') }).agents).toEqual([]);
  });

  it.each(['argument-hint', 'color', 'handoffs', 'mode', 'hidden'])('the field %s is explained', (field) => {
    const {
      agents: [agent],
      problems,
    } = read(`---\nname: a\ndescription: b\n${field}: true\n---\nx`);
    const [report] = agent?.fields.filter((each) => each.field === field) ?? [];
    expect([report?.state, report?.line, problems]).toEqual(['ignored', 4, []]);
    expect(report?.note).not.toMatch(/does not know|nothing like it/);
  });

  it('names of files are names of agents in VS Code and Cursor, and a README is none', () => {
    const nameIn = (display: string, text: string): string | undefined => read(text, { dialect: 'vscode', origin: originOf(display) }).agents[0]?.name;
    expect(nameIn('.github/agents/code-review.agent.md', 'Review.')).toBe('code-review');
    expect(nameIn('.github/agents/plan.md', '---\ndescription: b\n---\nPlan.')).toBe('plan');
    expect(nameIn('.github/agents/README.md', '# Our agents')).toBeUndefined();
    expect(
      read('---\n---\nx', { dialect: 'cursor', origin: { layer: 'user', file: 'C:\\Users\\me\\.cursor\\agents\\w.md', display: '~/.cursor/agents/w.md' } })
        .agents[0]?.name,
    ).toBe('w');
  });

  // code.visualstudio.com/docs/copilot/customization/hooks, "Agent-scoped hooks": no matcher stands around them.
  it('of VS Code have hooks in the form of its hook files, or in that of Claude Code', () => {
    const ofVsCode = (yaml: string): AgentReading =>
      read(`---\nname: a\ndescription: b\nhooks:\n${yaml}\n---\nx`, { dialect: 'vscode', origin: originOf('.github/agents/a.agent.md') });
    const flat = ofVsCode(
      '  PostToolUse:\n    - type: command\n      command: ./format.sh\n      timeout: 5\n  SubagentStop:\n    - type: command\n      command: ./b.sh',
    );
    expect(flat.agents[0]?.hooks).toMatchObject([
      { event: 'PostToolUse', dialect: 'copilot', timeoutMs: 5_000, handler: { type: 'command', command: './format.sh' }, owner: { kind: 'agent', name: 'a' } },
      { event: 'SubagentStop', dialect: 'copilot', handler: { type: 'command', command: './b.sh' }, owner: { kind: 'agent', name: 'a' } },
    ]);
    expect(flat.agents[0]?.hooks[0]?.broken).toBeUndefined();
    expect(flat.problems).toEqual([]);
    const grouped = ofVsCode('  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./a.sh');
    expect(grouped.agents[0]?.hooks).toMatchObject([{ event: 'PreToolUse', matcher: 'Bash', handler: { command: './a.sh' } }]);
    expect(
      read('---\nname: a\ndescription: b\nhooks:\n  PreToolUse:\n    - type: command\n      command: ./a.sh\n---\nx').agents[0]?.hooks[0]?.broken,
    ).toContain('“hooks”');
  });

  // The events of code.visualstudio.com/docs/copilot/customization/hooks that Gnomon has as well.
  it.each(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreCompact', 'Stop'])(
    'of VS Code are not stopped by a hook for %s in the form of VS Code',
    (event) => {
      const {
        agents: [agent],
        problems,
      } = read(`---\nname: a\ndescription: b\nhooks:\n  ${event}:\n    - type: command\n      command: ./a.sh\n---\nx`, {
        dialect: 'vscode',
        origin: originOf('.github/agents/a.agent.md'),
      });
      expect(agent?.hooks.map((hook) => [hook.event, hook.broken, hook.handler])).toEqual([[event, undefined, expect.objectContaining({ command: './a.sh' })]]);
      expect(problems).toEqual([]);
    },
  );

  it('with very many fields are read, and report those that are not used', () => {
    const yaml = Array.from({ length: 3_000 }, (_, index) => `field${index}: x`).join('\n');
    const { fields } = agentOf(yaml);
    expect(fields).toHaveLength(200);
    expect(fields.every(({ state }) => state === 'ignored')).toBe(true);
    expect(lines(read(`---\nname: a\ndescription: b\ntools: [${Array.from({ length: 300 }, () => 'Read').join(', ')}]\n---\n`))[0]).toContain(
      'more tools than it should',
    );
  });
});
