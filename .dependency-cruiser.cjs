// The dependency rule of docs/architecture.md.
const inner = ['engine', 'permission', 'provider', 'session', 'protocol', 'edits', 'completion', 'inline-edit', 'code-review', 'tool', 'node', 'mcp', 'config', 'hook'];
const only = (folder, allowed) => ({
  name: `${folder}-imports-what-is-below`,
  severity: 'error',
  comment: `src/${folder} may import itself and ${allowed.length === 0 ? 'nothing else' : allowed.join(' and ')}.`,
  from: { path: `^src/${folder}/` },
  to: { path: '^(src|webview|test)/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
});

// The rooms of src/vscode, from the ground up: each may import those before it.
const rooms = ['deep-links', 'dialogs', 'language-models', 'status', 'storage', 'theme', 'workspace', 'edits', 'language', 'settings', 'config', 'permission', 'hook', 'skill', 'models', 'agent', 'output-style', 'configuration', 'rename', 'request-viewer', 'scm', 'mcp', 'mentions', 'actions', 'chat', 'completion', 'api', 'commands', 'inline-edit', 'code-review', 'composition'];
const vscodeRooms = rooms.map((room, index) => ({
  name: `vscode-${room}-imports-what-is-below`,
  severity: 'error',
  from: { path: `^src/vscode/${room}/` },
  to: { path: '^src/vscode/[^/]+/', pathNot: `^src/vscode/(${rooms.slice(0, index + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('domain', []),
    only('concurrency', ['domain']),
    only('text', ['domain', 'concurrency']),
    ...inner.map((folder) => only(folder, ['domain', 'text', 'concurrency', ...(folder === 'mcp' ? ['tool/calls'] : [])])),
    { name: 'one-provider-apart-from-another', severity: 'error', from: { path: '^src/provider/([^/]+)/' }, to: { path: '^src/provider/[^/]+/', pathNot: '^src/provider/($1|http|catalog|refusal)/' } },
    { name: 'vscode-only-in-its-folder', severity: 'error', from: { path: '^(src|webview)/', pathNot: '^src/(vscode/|extension\\.ts$)' }, to: { path: '^vscode$' } },
    ...vscodeRooms,
    { name: 'nothing-imports-the-root', severity: 'error', from: { path: '^(src|webview)/' }, to: { path: '^src/extension\\.ts$' } },
    { name: 'webview-imports-protocol-only', severity: 'error', from: { path: '^webview/' }, to: { path: '^src/', pathNot: '^src/protocol/', dependencyTypesNot: ['type-only'] } },
    { name: 'webview-takes-types-of-the-domain', severity: 'error', from: { path: '^webview/' }, to: { path: '^src/', pathNot: '^src/(protocol|domain)/' } },
    { name: 'no-node-in-the-webview', severity: 'error', from: { path: '^webview/' }, to: { dependencyTypes: ['core'] } },
    { name: 'bundled-packages-are-declared', severity: 'error', from: { path: '^(src|webview)/' }, to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'], pathNot: '^vscode$' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['svelte', 'browser', 'import', 'types', 'default'] },
  },
};
