import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';
import type { AskedPermission } from '../../../../src/domain/tool/asks.js';
import type { Gate } from '../../../../src/domain/tool/permission.js';
import type { Plan, Tool } from '../../../../src/domain/tool/tool.js';
import { createForeignTool } from '../../../../src/tool/calls/foreign.js';
import { answers, calls, stops } from '../../../support/scripted-provider/index.js';
import { eventually } from '../../../support/eventually.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { nodeHost } from '../../agent-host/node-host.js';
import { MemoryLog, type Rig, type RigOptions, ok, rig } from '../rig.js';

/** The tool of a server that only tells what it was called with. */
export const SERVER_TOOL = 'mcp__db__query';

/** Files of the workspace, and what the rules of its settings say of them. */
export const FILES: Readonly<Record<string, string>> = { 'a.txt': 'one\ntwo\n', 'b.txt': 'one\ntwo\n', 'locked/c.txt': 'one\ntwo\n', '.env': 'KEY=1\n' };
const RULES = { deny: ['Bash(rm:*)', 'Edit(locked/**)'], ask: ['Bash(git:*)'], allow: [] };

/** A call of a model, by the name of its tool. */
export type Call = readonly [string, unknown];

/** The tools of an agent on the disk, and the gate that they pass. */
export interface Workbench {
  readonly folder: string;
  readonly gate: Gate;
  /** Plans as they were run, oldest first. */
  readonly ran: Plan[];
  /** What the server was called with. */
  readonly queries: unknown[];
  /** Called with each plan right before it runs. */
  before: (plan: Plan) => Promise<void>;
  /** Writes the files anew. */
  reset(): void;
  /** The text of a file; `undefined` when it is not there. */
  text(path: string): string | undefined;
  /** A session whose model makes these calls in one answer, having read the files `a.txt`, `b.txt`, and `locked/c.txt`. */
  session(calls: readonly Call[], options?: Omit<RigOptions, 'tools' | 'scripts' | 'realGate'>): Rig;
}

/** Sets up a workspace folder with {@link FILES} and rules, and a host without a window that works there. */
export async function workbench(): Promise<Workbench> {
  const [home, folder, storage] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const reset = (): void => Object.entries(FILES).forEach(([path, text]) => put(path, text));
  reset();
  put('.gnomon/settings.json', JSON.stringify({ permissions: RULES }));
  const node = await nodeHost({ folder, storage, log: new MemoryLog() });
  onTestFinished(() => node.close());
  const { host } = node;
  const questions = { ask: () => Promise.resolve({ type: 'dismissed' as const }) };
  const own = (): { readonly tools: readonly Tool[]; readonly gate: Gate } => host.ground.forSession({ id: 'session-1', questions, messages: () => [] });
  const { gate } = own();
  const bench: Workbench = {
    ...{ folder, gate, ran: [], queries: [], reset },
    before: () => Promise.resolve(),
    text: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined),
    session: (made, options = {}) => {
      const server = serverTool(bench.queries);
      const tools = [...own().tools, server].map((tool) => watched(tool, bench));
      const first = ['a.txt', 'b.txt', 'locked/c.txt'].flatMap((file_path, index) => calls(index, `read-${index}`, { name: 'read', args: { file_path } }));
      const second = made.flatMap(([name, args], index) => calls(index, idOf(index), { name, args }));
      const scripts = [[...first, ...stops('tool_use')], [...second, ...stops('tool_use')], answers('Done.')];
      return rig({ ...options, tools, scripts, realGate: gate });
    },
  };
  return bench;
}

/** The id of a call, by its place in the answer. */
export function idOf(index: number): string {
  return ['a', 'b', 'c', 'd'][index] ?? `call-${index}`;
}

function watched(tool: Tool, bench: Workbench): Tool {
  return {
    ...tool,
    execute: async (plan, context) => {
      if (!context.callId.startsWith('read-')) {
        await bench.before(plan);
        bench.ran.push(plan);
      }
      return tool.execute(plan, context);
    },
  };
}

function serverTool(queries: unknown[]): Tool {
  return createForeignTool({
    spec: { name: SERVER_TOOL, description: 'Asks a database.', parameters: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] } },
    schema: z.object({ sql: z.string(), limit: z.optional(z.number()) }),
    describe: () => ({ foreign: { kind: 'server', by: 'db', named: { server: 'db', tool: 'query' }, saysItReads: false } }),
    execute: (input) => {
      queries.push(input);
      return Promise.resolve(ok('3 rows'));
    },
  });
}

/** Waits for a prompt of a call. @param revision its number, from 1 */
export function prompt({ session }: Rig, callId: string, revision = 1): Promise<AskedPermission> {
  return eventually(() => {
    const found = session.asks.waiting.find((ask): ask is AskedPermission => ask.kind === 'permission' && ask.callId === callId);
    if (found?.revision !== revision) throw new Error(`Prompt ${revision} of the call ${callId} is not open.`);
    return found;
  });
}
