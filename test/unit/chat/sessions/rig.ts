import { parsePermissionMode } from '../../../../src/domain/tool/permission.js';
import { NO_INSTRUCTIONS } from '../../../../src/domain/session/context.js';
import type { Log } from '../../../../src/domain/log.js';
import type { SessionHooksOptions } from '../../../../src/engine/hooks/session-hooks.js';
import { createAgentSession } from '../../../../src/engine/live-session.js';
import type { Sessions } from '../../../../src/session/create-sessions.js';
import type { Conversation } from '../../../../src/chat/conversation/conversation.js';
import { Conversations } from '../../../../src/chat/conversation/conversations.js';
import { SessionActivity } from '../../../../src/chat/sessions/session-activity.js';
import { StoredSessions } from '../../../../src/chat/sessions/stored-sessions.js';
import { Trash } from '../../../../src/chat/sessions/trash.js';
import { type Script, ScriptedProvider, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { MemoryLog, TestGate } from '../../engine/rig.js';
import { type TestProcesses, testClock, testSessions } from '../../session/support/setup.js';

const WITHOUT_INSTRUCTIONS = {
  workspace: NO_INSTRUCTIONS,
  finder: { ofWorkspace: () => Promise.resolve(NO_INSTRUCTIONS), ofFile: () => Promise.resolve(NO_INSTRUCTIONS) },
};

/** What a window of the editor has of conversations, on real files and a scripted model. */
export interface TestWindow {
  readonly sessions: Sessions;
  readonly conversations: Conversations;
  readonly desk: StoredSessions;
  readonly trash: Trash;
  readonly activity: SessionActivity;
  readonly provider: ScriptedProvider;
  readonly log: MemoryLog;
  /** Ids of the conversations that the person looks at. */
  readonly seen: Set<string>;
  /** Ids of what was removed for good. */
  readonly forgotten: string[];
  /** Milliseconds since 1970. */
  now: number;
}

/** Opens a window on a folder; several may share one, each with a process of its own. */
export function testWindow(folder: string, processes: TestProcesses, scripts: readonly Script[] = [], hooks?: SessionHooksOptions): TestWindow {
  const provider = new ScriptedProvider(scripts);
  const log = new MemoryLog();
  const forgotten: string[] = [];
  const forget = (id: string): Promise<void> => {
    forgotten.push(id);
    return Promise.resolve();
  };
  const sessions = testSessions(folder, { processes: processes.start(), forget });
  const seen = new Set<string>();
  const activity = new SessionActivity({ isSeen: (id) => seen.has(id) });
  const conversations = conversationsOf(sessions, provider, log, hooks);
  const window: { now: number } = { now: Date.parse('2026-02-18T12:00:00Z') };
  const trash = new Trash({ library: sessions.library, purge: (id) => sessions.store.delete(id), log, now: () => window.now });
  const desk = new StoredSessions({ conversations, library: sessions.library, activity, trash, log });
  conversations.addFollower((conversation) => activity.follow(conversation));
  conversations.addFollower((conversation) => desk.follow(conversation));
  return Object.assign(window, { sessions, conversations, desk, trash, activity, provider, log, seen, forgotten });
}

function conversationsOf({ store }: Sessions, provider: ScriptedProvider, log: Log, hooks: SessionHooksOptions | undefined): Conversations {
  const clock = testClock();
  return new Conversations({
    store,
    log,
    chooseModel: () => Promise.resolve({ provider, model: TEST_MODEL }),
    defaultMode: () => 'default',
    startingMode: (mode) => mode,
    resumedMode: (_id, stored) => parsePermissionMode(stored) ?? 'default',
    branched: () => Promise.resolve(),
    factory: {
      systemPrompt: () => 'Be good.',
      instructions: () => Promise.resolve(NO_INSTRUCTIONS),
      open: (start) =>
        createAgentSession({
          ...start,
          ...(hooks === undefined ? {} : { hooks }),
          instructions: WITHOUT_INSTRUCTIONS,
          clock,
          log,
          tools: [],
          gate: new TestGate(),
          maxRounds: 5,
          maxRetries: 0,
          effort: 'off',
        }),
    },
  });
}

/** Says something and waits for the end of the turn. */
export async function say(conversation: Conversation, words: string): Promise<void> {
  await conversation.send([{ type: 'text', text: words }]).turn;
}
