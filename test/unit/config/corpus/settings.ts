import type { Group } from './corpus-case.js';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

export const SETTINGS: readonly Group[] = [
  {
    program: 'Claude Code',
    kind: 'settings',
    source: 'code.claude.com/docs/en/settings',
    path: '.claude/settings.json',
    rows: [
      [
        'allow, ask, and deny',
        json({ permissions: { allow: ['Bash(npm test:*)'], ask: ['Bash(git push:*)'], deny: ['Read(./.env)'] } }),
        { allow: ['Bash(npm test:*)'], ask: ['Bash(git push:*)'], deny: ['Read(./.env)'], damaged: false },
      ],
      [
        'a rule about a tool that only Claude Code has',
        json({ permissions: { deny: ['Task', 'Read(./secrets/**)'] } }),
        { deny: /^(?:Task\n)?Read\(\.\/secrets\/\*\*\)$/, damaged: false },
      ],
      ['defaultMode plan', json({ permissions: { defaultMode: 'plan' } }), { values: { 'gnomon.permissionMode': 'plan' } }],
      [
        'disableBypassPermissionsMode',
        json({ permissions: { disableBypassPermissionsMode: 'disable' } }),
        { values: { 'gnomon.bypassPermissionsMode': 'disable' } },
      ],
      ['model', json({ model: 'opus' }), { values: { 'gnomon.model': 'opus' } }],
      ['model default', json({ model: 'default' }), { values: {} }],
      ['outputStyle', json({ outputStyle: 'Explanatory' }), { values: { 'gnomon.outputStyle': 'Explanatory' } }],
      ['effortLevel', json({ effortLevel: 'high' }), { values: { 'gnomon.thinkingEffort': 'high' } }],
      ['autoCompactEnabled', json({ autoCompactEnabled: false }), { values: { 'gnomon.autoCompactThreshold': 0 } }],
      ['env', json({ env: { DEBUG: '1' } }), { values: {} }],
      [
        'statusLine and others',
        json({ statusLine: { type: 'command', command: './s.sh' }, cleanupPeriodDays: 20, includeCoAuthoredBy: false }),
        { values: {} },
      ],
      ['$schema', json({ $schema: 'https://json.schemastore.org/claude-code-settings.json', model: 'sonnet' }), { values: { 'gnomon.model': 'sonnet' } }],
      ['local settings', json({ model: 'haiku' }), { layer: 'local', values: { 'gnomon.model': 'haiku' } }, '.claude/settings.local.json'],
      ['of the user', json({ model: 'haiku' }), { layer: 'user', values: { 'gnomon.model': 'haiku' } }, '~/.claude/settings.json'],
      ['comments and a comma too many', '{\n  // model\n  "model": "opus",\n}', { values: { 'gnomon.model': 'opus' } }],
      ['no object', '[]', { damaged: true, problems: /object/ }],
      ['JSON that breaks off', '{ "permissions": { "deny": ["Read(./.env)"', { damaged: true, problems: /./ }],
      ['an empty file', '', { values: {}, damaged: false }],
    ],
  },
];
