// The dependency rule of docs/architecture.md.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const files = readdirSync(join(import.meta.dirname, 'src'), { recursive: true, encoding: 'utf8' }).map((path) => `src/${path.replaceAll('\\', '/')}`);
/**
 * Fails for a list that names what is not there any more.
 * @param {readonly string[]} patterns
 */
function refuseStale(patterns) {
  const stale = patterns.filter((pattern) => !files.some((path) => new RegExp(pattern).test(path)));
  if (stale.length > 0) throw new Error(`.dependency-cruiser.mjs: nothing in src matches ${stale.join(' and ')}.`);
}

const inner = [
  'engine',
  'permission',
  'provider',
  'session',
  'protocol',
  'edits',
  'completion',
  'inline-edit',
  'code-review',
  'tool',
  'node',
  'mcp',
  'config',
  'hook',
  'checks',
  'routing',
];
/**
 * @param {string} folder
 * @param {readonly string[]} allowed
 */
const only = (folder, allowed) => ({
  name: `${folder}-imports-what-is-below`,
  severity: 'error',
  comment: `src/${folder} may import itself and ${allowed.length === 0 ? 'nothing else' : allowed.join(' and ')}.`,
  from: { path: `^src/${folder}/` },
  to: { path: '^(src|webview|test)/', pathNot: `^src/(${[folder, ...allowed].join('|')})(/|\\.ts$)` },
});

// How the module of VS Code resolves: to its types where they are installed.
const VSCODE = '^(vscode$|node_modules/@types/vscode/)';
const low = ['domain', 'text', 'concurrency'];
// What runs a session knows no window, what shows one knows no engine's inside: the floors above the inner rooms, from the ground up.
const floors = {
  models: [...low, 'provider', 'config', 'customization', 'routing'],
  mentions: [...low, 'mcp', 'protocol', 'tool', 'node'],
  slash: [...low, 'config', 'consent', 'customization', 'engine', 'mcp', 'mentions', 'models', 'permission/rules', 'protocol/host'],
  elf: [...low, 'engine', 'tool/calls'],
  worktree: [...low, 'node', 'session/lock'],
  customization: [...low, 'config', 'hook', 'node', 'permission/rules', 'permission/files', 'session/lock', 'mcp/config/read-config'],
  consent: [...low, 'customization', 'permission', 'config', 'node', 'session/atomic-write'],
  'agent-host': [
    ...low,
    'checks',
    'worktree',
    'consent',
    'customization',
    'models',
    'elf',
    'engine',
    'session',
    'mcp',
    'tool',
    'config',
    'hook',
    'permission',
    'edits',
    'node',
    'provider',
    'routing',
    'protocol/form-check',
  ],
  chat: [
    ...low,
    'agent-host',
    'elf',
    'consent',
    'customization',
    'models',
    'mentions',
    'slash',
    'engine',
    'session',
    'mcp',
    'config',
    'protocol',
    'tool/calls',
    'hook',
    'node',
    'provider/http',
    'edits',
    'routing/read-decision',
  ],
  api: [...low, 'chat', 'agent-host', 'elf', 'engine', 'tool', 'mcp', 'protocol'],
  headless: [
    ...low,
    'agent-host',
    'chat/pane/choices',
    'chat/projection/(call-(result|topic|view)|session-facts)',
    'consent/ledger',
    'config/(tool-names|commands/choose-commands)',
    'customization/write-lock',
    'edits',
    'engine',
    'hook/foreign-(names|shapes)',
    'mcp/(client/transport/line-reader|prompts)',
    'mentions',
    'models/(catalog|describe|wanted-model)',
    'node',
    'permission/rules/rule(-set)?',
    'protocol/mention-syntax',
    'session',
    'slash',
  ],
};

// The rooms of src/vscode, from the ground up: each may import those before it.
const rooms = [
  'deep-links',
  'dialogs',
  'language-models',
  'status',
  'terminal',
  'theme',
  'workspace',
  'edits',
  'language',
  'settings',
  'permission',
  'skill',
  'agent',
  'output-style',
  'worktrees',
  'checks',
  'configuration',
  'rename',
  'request-viewer',
  'scm',
  'mcp',
  'mentions',
  'actions',
  'chat',
  'completion',
  'commands',
  'inline-edit',
  'code-review',
  'composition',
];
const vscodeRooms = rooms.map((room, index) => ({
  name: `vscode-${room}-imports-what-is-below`,
  severity: 'error',
  from: { path: `^src/vscode/${room}/` },
  to: { path: '^src/vscode/[^/]+/', pathNot: `^src/vscode/(${rooms.slice(0, index + 1).join('|')})/` },
}));

// What other rooms may import of a room that has much inside: its doors. A list only grows for a capability, not for a detail.
const doors = {
  engine: [
    'agent-session',
    'events',
    'live-session',
    'system-prompt',
    'agents/narrow',
    'context/(instruction-text|kept-skills|message-tokens|result-cap)',
    'hooks/(blocked-turn|hook-records)',
    'one-shot/[^/]+',
    'tool-call/(abort|arguments)',
    'turn/(pauses|purse|turn-scope|turn-settings)',
  ],
  session: [
    'atomic-write',
    'create-sessions',
    'errors',
    'session-id',
    'export/(markdown|redact-session)',
    'library/title',
    'lock/(lock|process-probe)',
    'other-workspaces/(folder-identity|other-folders|storage-index)',
  ],
  'agent-host': [
    'agent-host',
    'check-start',
    'elf-folder',
    'environment',
    'ground',
    'host-ports',
    'other-session-folders',
    'session-factory',
    'web-search',
    'changes/(bring-changes|disk-files|git-watch)',
    'servers/(approved-servers|configurations|inputs|server-choices|tool-choices|window-asking)',
    'worktrees/(managed-worktrees|worktree-(problems|rows))',
  ],
};
const doorRules = Object.entries(doors).map(([room, open]) => ({
  name: `${room}-is-entered-by-its-doors`,
  severity: 'error',
  comment: `Other rooms import of src/${room} what its list of doors names.`,
  from: { path: '^(src|webview)/', pathNot: `^src/${room}/` },
  to: { path: `^src/${room}/`, pathNot: `^src/${room}/(${open.join('|')})\\.ts$` },
}));

// Files of src/vscode that do not know VS Code themselves. The list only shrinks: what needs no window belongs into another room.
const withoutWindow = [
  'actions/action-prompt',
  'code-review/report-tool',
  'code-review/review-facts',
  'command-ids',
  'completion/ask-model',
  'completion/choose-model',
  'completion/completion-command-ids',
  'composition/compose-findings',
  'composition/compose-inline',
  'composition/compose-writing',
  'composition/runtime',
  'deep-links/parse-deep-link',
  'inline-edit/edit-session',
  'language-models/provider',
  'scm/commit-facts',
  'scm/input-stream',
  'theme/theme-files',
];

refuseStale([
  ...inner.map((folder) => `^src/${folder}/`),
  ...Object.entries(floors).flatMap(([folder, allowed]) => [folder, ...allowed].map((path) => `^src/${path}(/|\\.ts$)`)),
  ...rooms.map((room) => `^src/vscode/${room}/`),
  ...Object.entries(doors).flatMap(([room, open]) => open.map((path) => `^src/${room}/${path}\\.ts$`)),
  ...withoutWindow.map((path) => `^src/vscode/${path}\\.ts$`),
]);
const unruled = files.filter((path) => new RegExp(`^src/vscode/(?!(${rooms.join('|')})/)[^/]+/`).test(path));
if (unruled.length > 0) throw new Error(`.dependency-cruiser.mjs: rooms does not say what may import ${unruled.join(' and ')}.`);

export default {
  required: [
    {
      name: 'vscode-holds-what-needs-a-window',
      severity: 'error',
      comment: 'src/vscode holds what imports VS Code, and a list of exceptions that only shrinks.',
      module: { path: '^src/vscode/', pathNot: `^src/vscode/(${withoutWindow.join('|')})\\.ts$` },
      to: { path: VSCODE },
    },
  ],
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('domain', []),
    only('concurrency', ['domain']),
    only('text', ['domain', 'concurrency']),
    ...inner.map((folder) => only(folder, ['domain', 'text', 'concurrency', ...(folder === 'mcp' ? ['tool/calls'] : [])])),
    ...Object.entries(floors).map(([folder, allowed]) => only(folder, allowed)),
    {
      name: 'headless-library-stands-alone',
      severity: 'error',
      comment: 'Programs of others load src/headless/library: it knows the program without a window only by the protocol.',
      from: { path: '^src/headless/library/' },
      to: { path: '^(src|webview|test)/', pathNot: '^src/(headless/library|domain|text)/' },
    },
    {
      name: 'headless-library-is-for-others',
      severity: 'error',
      from: { path: '^(src|webview)/', pathNot: '^src/headless/library/' },
      to: { path: '^src/headless/library/' },
    },
    {
      name: 'one-provider-apart-from-another',
      severity: 'error',
      from: { path: '^src/provider/([^/]+)/' },
      to: { path: '^src/provider/[^/]+/', pathNot: '^src/provider/($1|http|catalog|refusal)/' },
    },
    {
      name: 'vscode-only-in-its-folder',
      severity: 'error',
      from: { path: '^(src|webview)/', pathNot: '^src/(vscode/|extension\\.ts$)' },
      to: { path: VSCODE },
    },
    {
      name: 'exceptions-know-no-window',
      severity: 'error',
      comment: 'A file that imports VS Code is taken off the list of those that do not.',
      from: { path: `^src/vscode/(${withoutWindow.join('|')})\\.ts$` },
      to: { path: VSCODE },
    },
    ...vscodeRooms,
    ...doorRules,
    { name: 'nothing-imports-the-root', severity: 'error', from: { path: '^(src|webview)/' }, to: { path: '^src/extension\\.ts$' } },
    {
      name: 'webview-imports-protocol-only',
      severity: 'error',
      from: { path: '^webview/' },
      to: { path: '^src/', pathNot: '^src/protocol/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'webview-takes-types-of-the-domain', severity: 'error', from: { path: '^webview/' }, to: { path: '^src/', pathNot: '^src/(protocol|domain)/' } },
    { name: 'no-node-in-the-webview', severity: 'error', from: { path: '^webview/' }, to: { dependencyTypes: ['core'] } },
    {
      name: 'bundled-packages-are-declared',
      severity: 'error',
      from: { path: '^(src|webview)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'], pathNot: '^vscode$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['svelte', 'browser', 'import', 'types', 'default'] },
  },
};
