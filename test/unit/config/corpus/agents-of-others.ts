import { type Group, md } from './corpus-case.js';

const READING = 'read grep glob list symbols diagnostics fetch web_search todo ask';
const ROO_READ = 'read grep glob list symbols diagnostics';
const mode = (more: string): string => `customModes:\n  - slug: writer\n    name: Writer\n    roleDefinition: You write\n${more.replace(/^(?=.)/gm, '    ')}\n`;

export const AGENTS_OF_OTHERS: readonly Group[] = [
  {
    program: 'Copilot CLI',
    kind: 'agent',
    source: 'docs.github.com/en/copilot/reference/custom-agents-configuration',
    path: '.github/agents/tester.agent.md',
    rows: [
      ['aliases of tools', md('description: d\ntools: ["read", "edit", "execute"]'), { tools: 'read diagnostics edit apply_patch write bash jobs' }],
      ['names of Claude Code among the aliases', md('description: d\ntools: ["Bash", "Grep", "MultiEdit"]'), { tools: 'bash jobs grep edit apply_patch' }],
      ['all tools', md('description: d\ntools: ["*"]'), { tools: '*' }],
      ['tools as a text with commas', md('description: d\ntools: read, search'), { tools: 'read diagnostics grep glob list symbols' }],
      [
        'mcp-servers of type local',
        md('description: d\nmcp-servers:\n  db:\n    type: local\n    command: db-mcp\n    args: ["--ro"]\n    tools: ["*"]'),
        { defined: ['db'], problems: [] },
      ],
      ['metadata', md('description: d\nmetadata:\n  owner: team'), { ignored: ['metadata'] }],
      ['target of the cloud', md('description: d\ntarget: github-copilot'), { ignored: ['target'] }],
      ['of the user', md('description: Tests\ntools: ["read"]'), { description: 'Tests', tools: 'read diagnostics' }, '~/.copilot/agents/tester.agent.md'],
    ],
  },
  {
    program: 'Cursor',
    kind: 'agent',
    source: 'cursor.com/docs/agent/subagents',
    path: '.cursor/agents/verifier.md',
    rows: [
      ['name and description', md('name: verifier\ndescription: Validates work'), { name: 'verifier', tools: '*' }],
      ['no fields', md(''), { name: 'verifier' }],
      ['model fast', md('name: v\nmodel: fast'), { model: 'fast' }],
      ['model inherit', md('name: v\nmodel: inherit'), { model: 'inherit' }],
      ['readonly', md('name: v\nreadonly: true'), { tools: READING }],
      ['readonly false', md('name: v\nreadonly: false'), { tools: '*' }],
      ['readonly that cannot be read', md('name: v\nreadonly: yes'), { skipped: '/readonly/', problems: /readonly/ }],
      ['is_background', md('name: v\nis_background: true'), { background: true }],
      ['a description with a colon', md('name: v\ndescription: Use when: done'), { description: 'Use when: done' }],
      ['of the user', md('name: v'), { name: 'v' }, '~/.cursor/agents/v.md'],
    ],
  },
  {
    program: 'Roo Code',
    kind: 'agent',
    source: 'docs.roocode.com/features/custom-modes',
    path: '.roomodes',
    rows: [
      ['YAML', mode('groups:\n  - read'), { name: 'writer', text: 'You write', tools: `${ROO_READ} ask todo` }],
      [
        'JSON',
        JSON.stringify({ customModes: [{ slug: 'j', name: 'J', roleDefinition: 'You', groups: ['read', 'command'] }] }),
        { name: 'j', tools: `${ROO_READ} bash jobs ask todo` },
      ],
      ['no groups', mode('groups: []'), { tools: 'ask todo' }],
      [
        'edit limited to files',
        mode('groups:\n  - read\n  - - edit\n    - fileRegex: \\.md$\n      description: Markdown'),
        { tools: `${ROO_READ} ask todo`, refused: ['customModes[0].groups[1]'] },
      ],
      ['edit with a description alone', mode('groups:\n  - - edit\n    - description: All files'), { tools: 'edit apply_patch write ask todo' }],
      ['mcp and browser', mode('groups: [browser, mcp]'), { tools: 'fetch mcp__* ask todo' }],
      ['an unknown group', mode('groups: [read, teleport]'), { tools: `${ROO_READ} ask todo`, ignored: ['customModes[0].name', 'customModes[0].groups[1]'] }],
      ['whenToUse', mode('whenToUse: For texts\ngroups: [read]'), { description: 'For texts' }],
      ['description and whenToUse', mode('description: Writes\nwhenToUse: For texts\ngroups: [read]'), { description: 'Writes\nFor texts' }],
      ['customInstructions', mode('customInstructions: Be brief.\ngroups: [read]'), { text: 'You write\n\nBe brief.' }],
      [
        'a literal roleDefinition',
        'customModes:\n  - slug: w\n    roleDefinition: |-\n      You: write\n      - well\n    groups: [read]\n',
        { text: 'You: write\n- well' },
      ],
      [
        'source and iconName',
        mode('source: project\niconName: codicon-edit\ngroups: [read]'),
        { ignored: ['customModes[0].name', 'customModes[0].source', 'customModes[0].iconName'] },
      ],
      ['no slug', 'customModes:\n  - name: X\n    roleDefinition: You\n    groups: [read]\n', { skipped: '/slug/', problems: /slug/ }],
      ['no roleDefinition', 'customModes:\n  - slug: x\n    groups: [read]\n', { skipped: '/roleDefinition/', problems: /roleDefinition/ }],
      [
        'two modes',
        'customModes:\n  - slug: a\n    roleDefinition: A\n    groups: [read]\n  - slug: b\n    roleDefinition: B\n    groups: [edit]\n',
        { count: 2, name: 'a' },
      ],
      ['no list', 'modes: []\n', { skipped: '/customModes/', problems: /customModes/ }],
    ],
  },
];
