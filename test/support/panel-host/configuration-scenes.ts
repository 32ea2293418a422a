import type { ConfigurationDetails, ConfigurationRow, ConfigurationSection, ConfigurationView, HookTrialView } from '../../../src/protocol/configuration.js';
import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';

/** A row, as the host sends it. */
export function configurationRow(id: string, over: Partial<ConfigurationRow> = {}): ConfigurationRow {
  return { id, name: id.slice(id.indexOf(':') + 1), state: 'Available', tone: 'usual', ...over };
}

/** Something at a place of this workspace. */
function at(display: string, layer = 'this workspace'): ConfigurationRow['place'] & object {
  return { id: `/ws/${display}`, display, layer };
}

/** A section with nothing in it but what is given. */
export function configurationSection(
  id: ConfigurationSection['id'],
  rows: readonly ConfigurationRow[] = [],
  over: Partial<ConfigurationSection> = {},
): ConfigurationSection {
  return { id, rows, left: 0, empty: `There are none. They are read from .${id}.`, ...over };
}

const settings = configurationSection(
  'settings',
  [
    configurationRow('settings:gnomon.model', {
      value: '"anthropic/claude-sonnet-5"',
      state: 'Modified',
      text: 'The model that new chats use.',
      place: at('user settings', 'yours'),
    }),
    configurationRow('settings:gnomon.permissionMode', { value: '"default"', state: 'Default', tone: 'idle', text: 'What needs your approval.' }),
  ],
  { note: '1 of 2 are modified.' },
);
const files = configurationSection('files', [
  configurationRow('files:/ws/.claude/settings.json', { name: '.claude/settings.json', state: 'Read', place: at('.claude/settings.json') }),
  configurationRow('files:/ws/.cursor/hooks.json', {
    name: '.cursor/hooks.json',
    state: 'Not read',
    tone: 'wrong',
    text: 'The file is larger than 1 MB.',
    place: at('.cursor/hooks.json'),
  }),
]);
const rules = configurationSection('rules', [
  configurationRow('rules:1', { name: 'deny Read(secrets/**)', state: 'Counts', place: at('.claude/settings.json:4') }),
  configurationRow('rules:2', { name: 'allow Bash(npm test:*)', state: 'Waits for approval', tone: 'waits', place: at('.claude/settings.json:9') }),
]);
const hooks = configurationSection('hooks', [
  configurationRow('hooks:guard', {
    name: 'PreToolUse Bash',
    value: 'node "$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.mjs',
    state: 'In use',
    place: at('.claude/settings.json:14'),
  }),
  configurationRow('hooks:changed', {
    name: 'UserPromptSubmit',
    value: 'node .claude/hooks/censor.mjs',
    state: 'Changed since approval',
    tone: 'waits',
    place: at('.claude/settings.json:20'),
  }),
]);
const agents = configurationSection('agents', [
  configurationRow('agents:reviewer', { text: 'Reviews changes before they are committed.', place: at('.claude/agents/reviewer.md:2') }),
]);
const skills = configurationSection(
  'skills',
  [
    configurationRow('skills:release-notes', { state: 'Pinned', text: 'Writes release notes.', place: at('.claude/skills/release-notes/SKILL.md') }),
    configurationRow('skills:deploy', { state: 'Not listed', tone: 'idle', place: at('~/.agents/skills/deploy/SKILL.md', 'yours') }),
  ],
  { note: 'The list for models takes about 84 tokens. Not listed, because there are too many: 1.' },
);
const commands = configurationSection('commands', [
  configurationRow('commands:release', { name: '/release', text: 'Prepares a release', place: at('.claude/commands/release.md') }),
]);

/** What a repository with `.claude/` of everything looks like. */
export const configuration: ConfigurationView = {
  trusted: true,
  sections: [settings, files, rules, hooks, agents, skills, commands, configurationSection('styles')],
  problems: [
    {
      id: 'hooks 0',
      key: 'hooks.PreToolUse[1].timeout',
      message: 'The time limit must be a number of seconds, not "soon".',
      place: at('.claude/settings.json:17'),
    },
    { id: 'agents 0', key: 'color', message: 'Gnomon does not use this.', harmless: true, place: at('.claude/agents/reviewer.md:5') },
  ],
  left: 0,
};

const NOTHING: ConfigurationDetails = { facts: [], overridden: [], fields: [], left: 0, actions: [] };
const hookFacts = [
  { name: 'file', value: '"/ws/.claude/settings.json"' },
  { name: 'event', value: 'PreToolUse' },
  { name: 'matcher', value: '"Bash"' },
  { name: 'command', value: '"node \\"$CLAUDE_PROJECT_DIR\\"/.claude/hooks/guard.mjs"' },
  { name: 'runs in', value: 'the shell' },
  { name: 'timeout', value: '60000 ms' },
  { name: 'dialect', value: 'claude' },
  { name: 'script ".claude/hooks/guard.mjs"', value: 'SHA-256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
  { name: 'if it does not answer', value: 'blocks' },
];
const diff = `--- Hook
+++ Hook
@@ -4,4 +4,4 @@
 command: "node .claude/hooks/censor.mjs"
 timeout: 60000 ms
 dialect: claude
-script ".claude/hooks/censor.mjs": SHA-256 60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752
+script ".claude/hooks/censor.mjs": SHA-256 fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13
`;

/** What rows show when they are expanded; others show nothing else. */
export const configurationDetails: Readonly<Record<string, ConfigurationDetails>> = {
  'settings:gnomon.model': {
    ...NOTHING,
    text: 'The model that new chats use.',
    overridden: [{ why: 'A workspace cannot set this.', value: '"demo/scripted"', place: at('workspace settings') }],
  },
  'files:/ws/.claude/settings.json': {
    ...NOTHING,
    fields: [
      { name: 'hooks', state: 'used', place: at('.claude/settings.json:12') },
      { name: 'permissions.deny', state: 'used' },
      { name: 'permissions.allow', state: 'used', note: 'Once the workspace is trusted and you have approved the list.', place: at('.claude/settings.json:8') },
      {
        name: 'env',
        state: 'refused',
        note: 'A workspace cannot set this. It could lead your keys or programs elsewhere.',
        place: at('.claude/settings.json:30'),
      },
      { name: 'cleanupPeriodDays', state: 'ignored', note: 'Gnomon does not use this.', place: at('.claude/settings.json:31') },
    ],
  },
  'rules:2': { ...NOTHING, actions: ['review_rules'] },
  'hooks:guard': { ...NOTHING, facts: hookFacts, actions: ['revoke_hook', 'open_scripts'], triable: true },
  'hooks:changed': { ...NOTHING, facts: hookFacts.slice(0, 2), diff, actions: ['approve_hook', 'open_scripts'] },
  'agents:reviewer': {
    ...NOTHING,
    text: 'Reviews changes before they are committed.',
    facts: [
      { name: 'Tools', value: 'read, grep, glob' },
      { name: 'Model', value: 'sonnet' },
    ],
    overridden: [
      {
        why: '.claude/agents/reviewer.md has the same name and counts more. This agent is reached as “user:reviewer”.',
        place: at('~/.claude/agents/reviewer.md:2', 'yours'),
      },
    ],
    fields: [
      { name: 'name', state: 'used' },
      { name: 'description', state: 'used' },
      { name: 'color', state: 'ignored', note: 'Gnomon does not use this.', place: at('.claude/agents/reviewer.md:5') },
    ],
  },
  'skills:release-notes': { ...NOTHING, text: 'Writes release notes.', facts: [{ name: 'Tokens in the list', value: '42' }], actions: ['unpin_skill'] },
};

/** A trial of a guard that blocks. */
export const hookTrial: HookTrialView = {
  matches: true,
  ended: 'it answered',
  exitCode: '2',
  durationMs: 41,
  consequences: ['Decision: block: nothing is touched here', 'It would block.'],
  stdout: '',
  stderr: 'nothing is touched here',
  input: '{\n  "hook_event_name": "PreToolUse",\n  "tool_name": "Bash",\n  "tool_input": {\n    "command": "touch canary.txt"\n  }\n}',
};

/** What the stand-in host answers about what is configured; nothing for what is only recorded. */
export function configurationAnswer(message: PanelMessage): HostMessage | undefined {
  switch (message.type) {
    case 'list_configuration':
      return { type: 'configuration', view: configuration, servers: 3 };
    case 'load_configuration':
      return { type: 'configuration_details', id: message.id, details: configurationDetails[message.id] ?? NOTHING };
    default:
      return undefined;
  }
}
