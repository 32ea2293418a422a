import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentFile } from '../../../../src/domain/config/agent.js';
import { serverId } from '../../../../src/domain/mcp/tool-name.js';
import type { McpEntry } from '../../../../src/domain/mcp/config.js';
import { textContent } from '../../../../src/domain/model/message.js';
import { waitOnTheClock } from '../../../../src/engine/turn/pauses.js';
import { RunningCalls } from '../../../../src/mcp/asking/running-calls.js';
import { createMcpConnector } from '../../../../src/mcp/client/connector.js';
import { sharedServers } from '../../../../src/mcp/connected-servers.js';
import { effectiveServers } from '../../../../src/mcp/config/effective-servers.js';
import { McpServers } from '../../../../src/mcp/servers/servers.js';
import { startServerProcess } from '../../../../src/node/process/server-process.js';
import { systemClock } from '../../../../src/node/system-clock.js';
import { AgentsInUse } from '../../../../src/agent-host/servers/agents-in-use.js';
import { approvedServersOf } from '../../../../src/agent-host/servers/approved-servers.js';
import { OfferedServers } from '../../../../src/agent-host/servers/offered-servers.js';
import { eventually } from '../../../support/eventually.js';
import { type Script, answers, calls, stops } from '../../../support/scripted-provider/index.js';
import { agentOf } from '../../config/agents/rig.js';
import { type Rig, rig as sessionRig } from '../../engine/rig.js';
import { scripted } from '../../mcp/client/connected.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ApprovalsRig } from './rig.js';

/** How much longer a machine with much else to do may take for what is waited for a limited time. */
const SLOWER = 10;
const GO = [{ type: 'text' as const, text: 'go' }];
const open = new Set<McpServers>();

afterEach(async () => {
  await Promise.all([...open].map((servers) => servers.dispose()));
  open.clear();
});

/** A server with the tool `look`, which writes its process ID into the file `started` of a folder as soon as it runs. */
function canary(folder: string, said = 'seen'): object {
  const { command, args } = scripted(
    `require('node:fs').appendFileSync(${JSON.stringify(join(folder, 'started'))}, process.pid + '\\n'); on['tools/list'] = ({ id }) => reply(id, { tools: [{ name: 'look', inputSchema: { type: 'object' } }] }); on['tools/call'] = ({ id }) => reply(id, { content: [{ type: 'text', text: ${JSON.stringify(said)} }] });`,
  );
  return { command, args };
}

/** An agent of the workspace that defines servers. */
function agentWith(name: string, servers: object | undefined, more = ''): AgentFile {
  const agent = agentOf(`${servers === undefined ? '' : `mcpServers: ${JSON.stringify(servers)}\n`}${more}`);
  return {
    ...agent,
    name,
    definedServers: (agent.definedServers ?? []).map((entry) => ({
      ...entry,
      source: { ...entry.source, file: `/ws/.claude/agents/${name}.md`, agents: [name] },
    })),
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    // Gone.
    return false;
  }
}

/** The servers of a window with real processes, put together as the extension does. */
class Window {
  /** Where canaries write; outside of the workspace, of which files that a command names would be approved, too. */
  readonly folder = temporaryFolder();
  readonly rig = new ApprovalsRig(temporaryFolder());
  readonly inUse = new AgentsInUse();
  readonly servers: McpServers;
  readonly offered: OfferedServers;
  private chats = 0;

  constructor() {
    const { approvals, choices } = this.rig;
    this.rig.inUse = (entry) => this.inUse.needs(entry);
    const connector = createMcpConnector({
      client: { name: 'gnomon-test', version: '0.0.1' },
      startProcess: startServerProcess,
      fetch,
      limits: { probeMs: 10_000 },
    });
    this.servers = new McpServers({
      connector,
      clock: systemClock,
      wait: (ms, signal) => waitOnTheClock(ms * SLOWER, signal),
      secrets: () => [],
      questions: () => ({ roots: () => [] }),
      gate: (entry) => approvals.verdict(entry),
    });
    open.add(this.servers);
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    this.offered = new OfferedServers({
      configurations: { ready: () => Promise.resolve() },
      servers: this.servers,
      agentsInUse: this.inUse,
      calls: new RunningCalls(),
      approvals,
      choices,
      keep: () => Promise.resolve(''),
      log,
    });
    this.inUse.onDidChange(() => void this.inUse.recheck(this.servers));
    this.servers.want();
  }

  /** The agents of the workspace are these from now on. */
  async has(...agents: readonly AgentFile[]): Promise<void> {
    const { servers } = effectiveServers(agents.map(({ definedServers = [] }) => ({ entries: definedServers, inputs: [], problems: [], servers: [] })));
    await this.servers.update(servers);
    await this.inUse.recheck(this.servers);
  }

  chat(...scripts: readonly Script[]): Rig & { readonly close: () => void } {
    this.chats += 1;
    const rig = sessionRig({ mode: 'bypassPermissions', scripts, moreTools: ({ agent }, signal) => this.offered.forTurn(agent, signal) });
    rig.gate.judgment = () => ({ type: 'allow', reason: 'This is a test.' });
    return { ...rig, close: this.inUse.follow({ id: `chat-${this.chats}`, session: rig.session }) };
  }

  entry(name: string): McpEntry {
    const state = this.servers.state(serverId(name));
    if (state === undefined) throw new Error(`There is no server ${name}.`);
    return state.entry;
  }

  /** The user approves a server. */
  async approve(name: string): Promise<void> {
    await this.rig.approve(this.entry(name));
    await this.servers.recheck(serverId(name));
  }

  phase(name: string): string | undefined {
    const state = this.servers.state(serverId(name));
    return state?.waitsFor ?? state?.status;
  }

  /** Process IDs of all that ever started. */
  get started(): readonly number[] {
    const file = join(this.folder, 'started');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
  }
}

const lookCall = (id: string): Script => [...calls(0, id, { name: 'mcp__db__look', args: {} }), ...stops('tool_use')];
const results = ({ session }: Rig): readonly string[] => session.messages.flatMap((message) => (message.role === 'tool_result' ? [textContent(message)] : []));

describe('the servers of an agent', () => {
  it('S-24: start only once the workspace is trusted and they are approved, for a chat with the agent, and end with that', async () => {
    const window = new Window();
    const agent = agentWith('reviewer', { db: canary(window.folder) });
    const chat = window.chat();
    window.rig.trusted = false;
    chat.session.setAgent(agent);
    await window.has(agent);
    expect(window.phase('db')).toBe('trust');
    window.rig.trusted = true;
    await window.servers.recheck();
    expect([window.phase('db'), window.started]).toEqual(['approval', []]);
    chat.session.setAgent(undefined);
    await window.approve('db');
    expect([window.phase('db'), window.started]).toEqual(['agent', []]);
    chat.session.setAgent(agent);
    await eventually(() => expect(window.phase('db')).toBe('connected'));
    const [pid = 0] = window.started;
    expect([window.started.length, isRunning(pid)]).toEqual([1, true]);
    chat.session.setAgent(undefined);
    await eventually(() => expect([window.phase('db'), isRunning(pid)]).toEqual(['agent', false]));
  });

  it('S-24: are there for the turn of a command with the agent, and for no chat without it, not even in a forged call', async () => {
    const window = new Window();
    const agent = agentWith('reviewer', { db: canary(window.folder) });
    const other = agentWith('writer', undefined);
    await window.has(agent);
    await window.approve('db');
    const holder = window.chat();
    holder.session.setAgent(agent);
    await eventually(() => expect(window.phase('db')).toBe('connected'));
    const chat = window.chat(lookCall('c1'), answers('No.'), lookCall('c2'), answers('No.'), lookCall('c3'), answers('Yes.'));
    await chat.session.send(GO).turn;
    chat.session.setAgent(other);
    await chat.session.send(GO).turn;
    chat.session.setAgent(undefined);
    await chat.session.send(GO, { agent }).turn;
    expect(chat.provider.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([[], [], [], [], ['mcp__db__look'], ['mcp__db__look']]);
    const [first, second, third] = results(chat);
    expect([first, second]).toEqual(['There is no tool named “mcp__db__look”. The tools are: .', 'There is no tool named “mcp__db__look”. The tools are: .']);
    expect(third).toContain('seen');
  });

  it('S-24: offer nothing to others: no tools that are searched, no resources and prompts, and nothing to VS Code', async () => {
    const window = new Window();
    const agent = agentWith('reviewer', { db: canary(window.folder) });
    await window.has(agent);
    await window.approve('db');
    await window.rig.choices.set(window.entry('db'), { loading: 'defer' });
    window.chat().session.setAgent(agent);
    await eventually(() => expect(window.phase('db')).toBe('connected'));
    const names = async (of: AgentFile | undefined): Promise<readonly string[]> =>
      (await window.offered.forTurn(of, new AbortController().signal)).map(({ spec }) => spec.name);
    expect(await names(agent)).toEqual(['find_tools', 'call_tool', 'mcp__db__look']);
    expect(await names(undefined)).toEqual([]);
    const shared = sharedServers(window.servers);
    expect([shared.states, shared.state('db'), approvedServersOf(window.servers, window.rig.approvals).all()]).toEqual([[], undefined, []]);
    await expect(shared.use('db', () => Promise.resolve(1), new AbortController().signal)).rejects.toThrow(/no server/);
  });

  it('S-24: start for the turn that a command gives to the agent, and end with it', async () => {
    const window = new Window();
    const agent = agentWith('reviewer', { db: canary(window.folder) });
    await window.has(agent);
    await window.approve('db');
    const chat = window.chat(lookCall('c1'), answers('Done.'));
    await chat.session.send(GO, { agent }).turn;
    expect(results(chat)[0]).toContain('seen');
    await eventually(() => expect([window.phase('db'), window.started.filter(isRunning)]).toEqual(['agent', []]));
  });

  it('S-24: run for as long as one of several chats works with the agent, and end when it is closed', async () => {
    const window = new Window();
    const agent = agentWith('reviewer', { db: canary(window.folder) });
    await window.has(agent);
    await window.approve('db');
    const [one, two] = [window.chat(), window.chat()];
    one.session.setAgent(agent);
    two.session.setAgent(agent);
    await eventually(() => expect(window.phase('db')).toBe('connected'));
    one.session.setAgent(undefined);
    two.session.setAgent(undefined);
    two.session.setAgent(agent);
    await window.inUse.recheck(window.servers);
    expect([window.phase('db'), window.started.length]).toEqual(['connected', 1]);
    one.close();
    two.close();
    await eventually(() => expect(window.started.filter(isRunning)).toEqual([]));
  });

  it('S-24: need a new approval when their definition changes, and are gone with the file', async () => {
    const window = new Window();
    await window.has(agentWith('reviewer', { db: canary(window.folder) }));
    await window.approve('db');
    const chat = window.chat();
    chat.session.setAgent(agentWith('reviewer', { db: canary(window.folder) }));
    await eventually(() => expect(window.phase('db')).toBe('connected'));
    await window.has(agentWith('reviewer', { db: canary(window.folder, 'other') }));
    expect(window.phase('db')).toBe('changed');
    await eventually(() => expect(window.started.filter(isRunning)).toEqual([]));
    expect(window.started.length).toBe(1);
    await window.approve('db');
    await eventually(() => expect(window.phase('db')).toBe('connected'));
    await window.has();
    expect(window.phase('db')).toBeUndefined();
    await eventually(() => expect(window.started.filter(isRunning)).toEqual([]));
  });

  it('S-24: belong to both of two agents that define the same, and leave no process behind when the window closes', async () => {
    const window = new Window();
    const definition = { db: canary(window.folder) };
    const agents = [agentWith('reviewer', definition), agentWith('writer', definition)] as const;
    await window.has(...agents);
    expect(window.entry('db').source.agents).toEqual(['reviewer', 'writer']);
    await window.approve('db');
    window.chat().session.setAgent(agents[1]);
    await eventually(() => expect(window.phase('db')).toBe('connected'));
    const { tools } = window.offered.toolsetFor(agents[1]);
    expect(tools.map(({ spec }) => spec.name)).toEqual(['mcp__db__look']);
    await window.servers.dispose();
    expect([window.started.length, window.started.filter(isRunning)]).toEqual([1, []]);
  });
});

describe('agents in use', () => {
  it('are that of the chat and that of its turn, which keeps it when the user chooses another one meanwhile', async () => {
    const inUse = new AgentsInUse();
    const [one, two, three] = ['one', 'two', 'three'].map((name) => agentWith(name, { [name]: { command: name } })) as [AgentFile, AgentFile, AgentFile];
    const used = (): readonly boolean[] => [one, two, three].map(({ definedServers: [entry] = [] }) => entry !== undefined && inUse.needs(entry));
    const during: (readonly boolean[])[] = [];
    const { session } = sessionRig({
      scripts: [answers('Done.')],
      moreTools: () => {
        during.push(used());
        session.setAgent(three);
        during.push(used());
        return [];
      },
    });
    session.setAgent(one);
    const stop = inUse.follow({ id: 'a', session });
    await session.send(GO, { agent: two }).turn;
    expect(during).toEqual([
      [true, true, false],
      [true, true, true],
    ]);
    expect(used()).toEqual([false, false, true]);
    stop();
    expect(used()).toEqual([false, false, false]);
  });
});
