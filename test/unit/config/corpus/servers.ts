import type { Group } from './corpus-case.js';

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const stdio = { type: 'stdio', command: 'npx', args: ['-y', 'db-mcp'], env: {} };
const http = { type: 'http', url: 'https://mcp.example.com/mcp', headers: {} };
const under =
  (key: string) =>
  (entry: unknown): string =>
    json({ [key]: { db: entry } });
const claude = under('mcpServers');
const vscode = under('servers');

export const SERVERS: readonly Group[] = [
  {
    program: 'Claude Code',
    kind: 'servers',
    source: 'code.claude.com/docs/en/mcp',
    path: '.mcp.json',
    rows: [
      ['a command without a type', claude({ command: 'npx', args: ['-y', 'db-mcp'] }), { servers: { db: stdio } }],
      ['type stdio', claude(stdio), { servers: { db: stdio } }],
      [
        'type http with headers',
        claude({ ...http, headers: { Authorization: 'Bearer ${TOKEN}' } }),
        { servers: { db: { ...http, headers: { Authorization: 'Bearer ${TOKEN}' } } } },
      ],
      ['type streamable-http', claude({ ...http, type: 'streamable-http' }), { servers: { db: http } }],
      [
        'type sse',
        claude({ type: 'sse', url: 'https://mcp.example.com/sse' }),
        { servers: { db: { ...http, type: 'sse', url: 'https://mcp.example.com/sse' } } },
      ],
      [
        'a variable with a default',
        claude({ command: '${DB_MCP:-db-mcp}', args: ['--port', '${PORT:-80}'] }),
        { servers: { db: { type: 'stdio', command: '${DB_MCP:-db-mcp}', args: ['--port', '${PORT:-80}'], env: {} } } },
      ],
      [
        'env',
        claude({ command: 'db-mcp', env: { URL: '${DB_URL}' } }),
        { servers: { db: { type: 'stdio', command: 'db-mcp', args: [], env: { URL: '${DB_URL}' } } } },
      ],
      ['type ws', claude({ type: 'ws', url: 'wss://mcp.example.com' }), { servers: {}, problems: /type “ws”/ }],
      ['headersHelper', claude({ ...http, headersHelper: './token.sh' }), { servers: {}, problems: /does not run a command for headers/ }],
      ['no servers', json({ mcpServers: {} }), { servers: {} }],
      [
        'a long name',
        json({ mcpServers: { 'executeautomation-playwright-server': { command: 'npx' } } }),
        { servers: { 'executeautomation-playwright-server': { type: 'stdio', command: 'npx', args: [], env: {} } } },
      ],
      [
        'a name with a slash',
        json({ mcpServers: { '@microsoft/clarity-mcp-server': { command: 'npx' } } }),
        { servers: { '@microsoft/clarity-mcp-server': { type: 'stdio', command: 'npx', args: [], env: {} } }, notes: 1 },
      ],
      ['of the user', claude({ command: 'db-mcp' }), { servers: { db: { type: 'stdio', command: 'db-mcp', args: [], env: {} } } }, '~/.claude.json'],
    ],
  },
  {
    program: 'VS Code',
    kind: 'servers',
    source: 'code.visualstudio.com/docs/agents/reference/mcp-configuration',
    path: '.vscode/mcp.json',
    rows: [
      ['stdio', vscode(stdio), { servers: { db: stdio } }],
      ['http', vscode(http), { servers: { db: http } }],
      ['an address without a type', vscode({ url: 'https://mcp.example.com/mcp' }), { servers: { db: http } }],
      [
        'inputs',
        json({
          inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true }],
          servers: { db: { command: 'npx', env: { KEY: '${input:key}' } } },
        }),
        { servers: { db: { type: 'stdio', command: 'npx', args: [], env: { KEY: '${input:key}' } } }, inputs: ['key'] },
      ],
      ['an input that is not declared', vscode({ command: 'npx', env: { KEY: '${input:key}' } }), { servers: {}, problems: /input “key”/ }],
      [
        'a choice as an input',
        json({
          inputs: [{ type: 'pickString', id: 'env', description: 'Env', options: ['a', 'b'] }],
          servers: { db: { command: 'npx', args: ['${input:env}'] } },
        }),
        { inputs: ['env'] },
      ],
      [
        'envFile',
        vscode({ command: 'npx', envFile: '${workspaceFolder}/.env.mcp' }),
        { servers: { db: { type: 'stdio', command: 'npx', args: [], env: {}, envFile: '${workspaceFolder}/.env.mcp' } } },
      ],
      [
        'comments and a comma too many',
        '{\n  // db\n  "servers": { "db": { "command": "npx", }, },\n}',
        { servers: { db: { type: 'stdio', command: 'npx', args: [], env: {} } } },
      ],
      [
        'a value of env that is a number',
        vscode({ command: 'npx', env: { PORT: 80 } }),
        { servers: { db: { type: 'stdio', command: 'npx', args: [], env: { PORT: '80' } } } },
      ],
      ['gallery and version', vscode({ ...stdio, gallery: 'https://api.mcp.github.com', version: '1.0.0' }), { servers: { db: stdio } }],
    ],
  },
  {
    program: 'Cursor',
    kind: 'servers',
    source: 'cursor.com/docs/mcp',
    path: '.cursor/mcp.json',
    rows: [
      ['a command', claude({ command: 'npx', args: ['-y', 'db-mcp'] }), { servers: { db: stdio } }],
      ['an address', claude({ url: 'https://mcp.example.com/mcp' }), { servers: { db: http } }],
      [
        'variables',
        claude({ command: '${userHome}/bin/db', env: { KEY: '${env:DB_KEY}' } }),
        { servers: { db: { type: 'stdio', command: '${userHome}/bin/db', args: [], env: { KEY: '${env:DB_KEY}' } } } },
      ],
      [
        'envFile',
        claude({ type: 'stdio', command: 'npx', envFile: '.env' }),
        { servers: { db: { type: 'stdio', command: 'npx', args: [], env: {}, envFile: '.env' } } },
      ],
      ['of the user', claude({ command: 'npx' }), { servers: { db: { type: 'stdio', command: 'npx', args: [], env: {} } } }, '~/.cursor/mcp.json'],
    ],
  },
  {
    program: 'Copilot CLI',
    kind: 'servers',
    source: 'docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers',
    path: '~/.copilot/mcp-config.json',
    rows: [
      ['type local', claude({ type: 'local', command: 'npx', args: ['-y', 'db-mcp'], env: {}, tools: ['*'] }), { servers: { db: stdio } }],
      ['type http', claude({ ...http, tools: ['*'] }), { servers: { db: http } }],
    ],
  },
];
