import { NOTHING_MORE } from '../../../src/engine/turn/turn-settings.js';
import { type PermissionMode, parsePermissionMode } from '../../../src/domain/tool/permission.js';
import { NO_INSTRUCTIONS } from '../../../src/domain/session/context.js';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Tool } from '../../../src/domain/tool/tool.js';
import { createAgentSession } from '../../../src/engine/live-session.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { CHAT } from '../../../src/agent-host/session-factory.js';
import { createTools } from '../../../src/tool/index.js';
import { createExports } from '../../../src/api/exports.js';
import type { GnomonApi, GnomonEvent, GnomonExports, GnomonSession } from '../../../src/api/gnomon-api.js';
import { ExtensionServers } from '../../../src/api/extension-servers.js';
import { OfferedTools } from '../../../src/api/offered-tools.js';
import type { Conversation } from '../../../src/chat/conversation/conversation.js';
import { Conversations } from '../../../src/chat/conversation/conversations.js';
import { DraftStore } from '../../../src/chat/composer/draft-store.js';
import { Drafts } from '../../../src/chat/composer/drafts.js';
import type { Runtime } from '../../../src/vscode/composition/runtime.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';
import { type Script, type Step, calls, ScriptedProvider, stops, TEST_MODEL } from '../../support/scripted-provider/index.js';
import { MemoryLog } from '../engine/rig.js';
import { gateOn } from '../permission/rig.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { testClock, TestProcesses, testSessions } from '../session/support/setup.js';
import { eventually } from '../../support/eventually.js';

const WITHOUT_INSTRUCTIONS = {
  workspace: NO_INSTRUCTIONS,
  finder: { ofWorkspace: () => Promise.resolve(NO_INSTRUCTIONS), ofFile: () => Promise.resolve(NO_INSTRUCTIONS) },
};

/** The extension that calls. */
export const CALLER = 'acme.words';

/** What a test can change of the window. */
export interface ApiOptions {
  readonly scripts?: readonly Script[];
  readonly rules?: readonly string[];
  readonly trusted?: boolean;
  /** The mode in the person's settings. */
  readonly mode?: PermissionMode;
}

/** A window with its API: real sessions on real files, real permission, a scripted model. */
export interface ApiWindow {
  readonly exports: GnomonExports;
  readonly api: GnomonApi;
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  readonly provider: ScriptedProvider;
  readonly offered: OfferedTools;
  readonly servers: ExtensionServers;
  readonly log: MemoryLog;
  /** How often everything behind the API was loaded. */
  readonly loads: () => number;
  /** Ids of the conversations that were to be shown. */
  readonly shown: string[];
}

/** Opens a window. */
export function apiWindow({ scripts = [], rules = [], trusted = true, mode = 'default' }: ApiOptions = {}): ApiWindow {
  const folder = temporaryFolder();
  const log = new MemoryLog();
  const provider = new ScriptedProvider(scripts);
  const [offered, servers] = [new OfferedTools(), new ExtensionServers()];
  const drafts = new Drafts({ store: new DraftStore({ folder: join(folder, 'drafts'), files: createNodeFileLayer(), log }), resolve: resolveMentions });
  const memory = createMemoryWorkspace({ files: { '/ws/a.ts': 'one\n' } });
  const tools: readonly Tool[] = createTools(memory).filter(({ spec }) => spec.name === 'read');
  const gate = gateOn({ rules, trusted, files: { '/ws/a.ts': 'one\n' } });
  const clock = testClock();
  const conversations = new Conversations({
    store: testSessions(folder, { processes: new TestProcesses().start() }).store,
    log,
    chooseModel: (key) =>
      key === undefined || key === 'scripted/model-1'
        ? Promise.resolve({ provider, model: TEST_MODEL })
        : Promise.reject(new Error(`There is no model ${key}.`)),
    defaultMode: () => mode,
    startingMode: (wanted) => wanted,
    resumedMode: (_id, stored) => parsePermissionMode(stored) ?? 'default',
    branched: () => Promise.resolve(),
    factory: {
      systemPrompt: () => 'Be good.',
      instructions: () => Promise.resolve(NO_INSTRUCTIONS),
      open: ({ shape = CHAT, ...start }) =>
        createAgentSession({
          ...start,
          instructions: WITHOUT_INSTRUCTIONS,
          clock,
          log,
          tools: shape.tools(tools),
          turnSettings: () => Promise.resolve({ ...NOTHING_MORE, moreTools: shape.offered?.(offered.all) ?? [] }),
          gate: shape.gate(gate),
          maxRounds: 5,
          maxRetries: 0,
          effort: 'off',
        }),
    },
  });
  conversations.addFollower((conversation) => drafts.follow(conversation));
  onTestFinished(async () => {
    await conversations.close();
    await drafts.flush();
  });
  const shown: string[] = [];
  let loads = 0;
  const apiSessions = {
    conversations,
    draftOf: (conversation: Conversation) => drafts.of(conversation),
    resolve: resolveMentions,
    rename: (id: string, title: string) => Promise.resolve(conversations.find(id)?.rename(title, 'person')),
    show: (id: string) => Promise.resolve(void shown.push(id)),
    isShown: () => false,
    defaultMode: () => mode,
    log,
  };
  const load = (): Promise<Runtime> => {
    loads += 1;
    return Promise.resolve({ apiSessions } as unknown as Runtime);
  };
  const installed = (id: string): string | undefined => [CALLER, 'other.ext'].find((known) => known === id.toLowerCase());
  const exports = createExports({ load, offered, servers, installed, log });
  return { exports, api: exports.getApi(1, CALLER), conversations, drafts, provider, offered, servers, log, loads: () => loads, shown };
}

/** Looks up mentions as their own text. */
function resolveMentions(text: string): Promise<readonly { readonly type: 'text'; readonly text: string }[]> {
  const found = text.match(/@\S+/g) ?? [];
  return Promise.resolve(found.map((mention) => ({ type: 'text', text: `<attached name="${mention.replaceAll('"', '')}">\ncontent\n</attached>` })));
}

/** Keeps the events of a session. */
export function eventsOf(session: GnomonSession): GnomonEvent[] {
  const events: GnomonEvent[] = [];
  session.onEvent((event) => events.push(event));
  return events;
}

/** Says something and waits for the end of the turn, which it returns. */
export async function say(session: GnomonSession, words: string): Promise<Extract<GnomonEvent, { type: 'turn_ended' }>['turn']> {
  const events = eventsOf(session);
  await session.send(words);
  await eventually(() => ended(events));
  return ended(events);
}

/** The turn that ended last. */
function ended(events: readonly GnomonEvent[]): Extract<GnomonEvent, { type: 'turn_ended' }>['turn'] {
  const last = events.findLast((event) => event.type === 'turn_ended');
  if (last?.type !== 'turn_ended') throw new Error('No turn has ended.');
  return last.turn;
}

/** An answer that calls a tool. */
export function asksFor(name: string, args: unknown): readonly Step[] {
  return [...calls(0, 'c1', { name, args }), ...stops('tool_use')];
}
