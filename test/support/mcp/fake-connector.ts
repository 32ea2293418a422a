import { AbortError } from '../../../src/domain/errors.js';
import type { McpAgreement, McpCallOptions, McpConnection, McpConnector, McpHandlers, McpTarget } from '../../../src/domain/mcp/connection.js';
import { McpError } from '../../../src/domain/mcp/connection.js';
import type { McpCallResult, McpListed, McpPrompt, McpResource, McpResourceTemplate, McpToolInfo } from '../../../src/domain/mcp/feature.js';

/** An agreement as a server with everything makes it. */
export const FAKE_AGREEMENT: McpAgreement = {
  era: 'legacy',
  revision: '2025-11-25',
  transport: 'stdio',
  server: { name: 'fake', version: '1.0.0' },
  capabilities: { tools: true, resources: true, subscriptions: true, prompts: true, completions: true, logging: true },
};

/** A tool with a name and no arguments. */
export function fakeTool(name: string, more: Partial<McpToolInfo> = {}): McpToolInfo {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, annotations: {}, ...more };
}

/** A list without warnings. */
export function listed<Item>(...items: readonly Item[]): McpListed<Item> {
  return { items, warnings: [] };
}

/** An attempt to connect that a test decides about. */
export class FakeAttempt {
  /** What `connect` gives. */
  readonly connected: Promise<McpConnection>;
  private resolve: (connection: McpConnection) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;

  constructor(
    readonly target: McpTarget,
    readonly handlers: McpHandlers,
    readonly signal: AbortSignal,
  ) {
    this.connected = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    signal.addEventListener('abort', () => this.reject(new AbortError()), { once: true });
  }

  /** The server answers. */
  succeed(connection = new FakeConnection(this.handlers)): FakeConnection {
    this.resolve(connection);
    return connection;
  }

  /** The server cannot be connected with. */
  fail(error: Error): void {
    this.reject(error);
  }
}

/** A connection that does what a test says, and nothing by itself. Its lists and results can be replaced at any time. */
export class FakeConnection implements McpConnection {
  agreement: McpAgreement = FAKE_AGREEMENT;
  tools: () => Promise<McpListed<McpToolInfo>> = () => Promise.resolve(listed(fakeTool('echo')));
  prompts: () => Promise<McpListed<McpPrompt>> = () => Promise.resolve(listed());
  resources: () => Promise<McpListed<McpResource>> = () => Promise.resolve(listed());
  templates: () => Promise<McpListed<McpResourceTemplate>> = () => Promise.resolve(listed());
  result: (tool: McpToolInfo, args: Readonly<Record<string, unknown>>, options: McpCallOptions) => Promise<McpCallResult> = (tool) =>
    Promise.resolve({ content: [{ type: 'text', text: tool.name }], isError: false });
  /** Resolves when the last of its process is gone; a test can let that take longer. */
  closing: () => Promise<void> = () => Promise.resolve();
  /** How often each list was read. */
  readonly reads = { tools: 0, prompts: 0, resources: 0, templates: 0 };
  closes = 0;
  private over = false;

  constructor(private readonly handlers: McpHandlers) {}

  /** The server ends on its own. */
  die(reason: string, stderr: readonly string[] = []): void {
    for (const line of stderr) this.handlers.stderr(line);
    this.end(reason, false);
  }

  listTools(): Promise<McpListed<McpToolInfo>> {
    this.reads.tools += 1;
    return this.tools();
  }

  listPrompts(): Promise<McpListed<McpPrompt>> {
    this.reads.prompts += 1;
    return this.prompts();
  }

  listResources(): Promise<McpListed<McpResource>> {
    this.reads.resources += 1;
    return this.resources();
  }

  listResourceTemplates(): Promise<McpListed<McpResourceTemplate>> {
    this.reads.templates += 1;
    return this.templates();
  }

  callTool(tool: McpToolInfo, args: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<McpCallResult> {
    return this.over ? Promise.reject(new McpError('closed', 'The connection has ended.')) : this.result(tool, args, options);
  }

  readResource(): Promise<never> {
    return this.missing();
  }

  subscribe(): Promise<never> {
    return this.missing();
  }

  getPrompt(): Promise<never> {
    return this.missing();
  }

  complete(): Promise<readonly string[]> {
    return Promise.resolve([]);
  }

  async close(): Promise<void> {
    this.closes += 1;
    await this.closing();
    this.end('Gnomon closed it.', true);
  }

  private end(reason: string, wanted: boolean): void {
    if (this.over) return;
    this.over = true;
    this.handlers.closed({ reason, wanted });
  }

  private missing(): Promise<never> {
    return Promise.reject(new McpError('answered', 'Method not found.', { code: -32601 }));
  }
}

/** Keeps the attempts to connect for a test to decide about. */
export class FakeConnector implements McpConnector {
  readonly attempts: FakeAttempt[] = [];

  /** The newest attempt. Throws while there is none. */
  get last(): FakeAttempt {
    const last = this.attempts.at(-1);
    if (last === undefined) throw new Error('Nobody has tried to connect.');
    return last;
  }

  connect(target: McpTarget, handlers: McpHandlers, signal: AbortSignal): Promise<McpConnection> {
    const attempt = new FakeAttempt(target, handlers, signal);
    this.attempts.push(attempt);
    return attempt.connected;
  }
}
