import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiSessions } from '../../../src/api/api-sessions.js';
import type { GnomonEvent, GnomonSession, GnomonSessionOptions } from '../../../src/api/gnomon-api.js';
import { OfferedTools } from '../../../src/api/offered-tools.js';
import { DraftStore } from '../../../src/chat/composer/draft-store.js';
import { Drafts } from '../../../src/chat/composer/drafts.js';
import { Conversations } from '../../../src/chat/conversation/conversations.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { eventually } from '../../support/eventually.js';
import { calls, givesAway, part, partOf, results, type Script, scripts } from '../../support/gives-away.js';
import { gate, type ModelServer, reply } from '../../support/model-server/index.js';
import { nodeChat } from '../agent-host/node-chat.js';
import { MemoryLog } from '../engine/rig.js';
import { eventsOf } from './rig.js';

/** A session of another extension on a real host, with the server that its model is asked at. */
interface Started {
  readonly session: GnomonSession;
  readonly events: readonly GnomonEvent[];
  readonly server: ModelServer;
  /** Answers what an agent of it asks, as the user does in the chat. */
  readonly allow: (event: Extract<GnomonEvent, { type: 'permission_requested' }>) => void;
}

async function started(options: GnomonSessionOptions = {}): Promise<Started> {
  const log = new MemoryLog();
  const { server, host: node } = await nodeChat();
  const { host, store, storage } = node;
  const conversations = new Conversations({
    ...{ store, log, factory: host.factory, chooseModel: (key) => host.models.choose(key), defaultMode: () => 'default' },
    startingMode: (mode) => mode,
    resumedMode: () => 'default',
    branched: () => Promise.resolve(),
  });
  const drafts = new Drafts({
    store: new DraftStore({ folder: join(storage, 'drafts'), files: createNodeFileLayer(), log }),
    resolve: () => Promise.resolve([]),
  });
  conversations.addFollower((conversation) => drafts.follow(conversation));
  onTestFinished(async () => {
    await conversations.close();
    await drafts.flush();
  });
  const unused = (): Promise<void> => Promise.resolve();
  const api = new ApiSessions({
    ...{ conversations, draftOf: (conversation) => drafts.of(conversation), resolve: () => Promise.resolve([]), rename: unused, show: unused },
    ...{ isShown: () => false, defaultMode: () => 'default', elves: host.elves, log, offered: new OfferedTools() },
  });
  const session = await api.start('acme.words', options);
  const allow: Started['allow'] = ({ callId }) => {
    const asked = conversations.find(session.id)?.session.asks.waiting.find((ask) => ask.callId === callId);
    conversations.find(session.id)?.session.answer(callId, { type: 'allow' }, undefined, asked?.who.session ?? '');
  };
  return { session, events: eventsOf(session), server, allow };
}

const asked = (events: readonly GnomonEvent[]): Extract<GnomonEvent, { type: 'permission_requested' }> => {
  const found = events.find((event) => event.type === 'permission_requested');
  if (found === undefined) throw new Error('Nothing asks.');
  return found;
};

const inBackground = (name: string): object => ({ ...part(name), background: true });
const startsInBackground =
  (...names: readonly string[]): Script =>
  (request) =>
    results(request).length === 0 ? givesAway(...names.map(inBackground))(request) : reply().text('Meanwhile.');
const states = async (session: GnomonSession): Promise<readonly string[]> => (await session.agents()).map(({ id, state }) => `${id} ${state}`);

describe('the agents of a session that another extension has started', () => {
  it('E-62, E-69: are listed with what they use, which the session counts, and it is not idle while one works', async () => {
    const { session, events, server } = await started();
    const held = gate();
    server.setScript(
      scripts(startsInBackground('a', 'b'), async (request) => {
        if (partOf(request) === 'PART b') await held.pass();
        return reply().text('found');
      }),
    );
    await session.send('Go');
    await eventually(async () => expect(await states(session)).toEqual(['agent-1 completed', 'agent-2 working']));
    expect(session.state).toBe('running');
    await eventually(() => expect(events.map(({ type }) => type)).toContain('agents_changed'));
    held.open();
    await eventually(() => expect(session.state).toBe('idle'));
    const agents = await session.agents();
    expect(agents.map(({ type, task, model, background, rounds }) => [type, task, model, background, rounds])).toEqual([
      ['general', 'Look at a', 'anthropic/claude-sonnet-5-5', true, 1],
      ['general', 'Look at b', 'anthropic/claude-sonnet-5-5', true, 1],
    ]);
    const reported = server.requests.length;
    // The server reports the same for each request.
    expect(session.usage.outputTokens / reported).toBe(agents[0]?.usage.outputTokens);
    expect(session.costUsd).toBeGreaterThan((agents[0]?.costUsd ?? 0) + (agents[1]?.costUsd ?? 0));
    expect(Object.isFrozen(agents[0]) && Object.isFrozen(session.usage)).toBe(true);
  });

  it('tell of what they ask the user, and of the answer', async () => {
    const { session, events, server, allow } = await started();
    server.setScript(scripts(startsInBackground('a'), calls('bash', { command: 'touch made.txt' })));
    await session.send('Go');
    await eventually(() => asked(events));
    expect(asked(events)).toMatchObject({ agent: 'agent-1', tool: 'bash', subject: 'touch made.txt' });
    await eventually(() => expect(session.state).toBe('waiting'));
    allow(asked(events));
    await eventually(() => expect(session.state).toBe('idle'));
    expect(events.find(({ type }) => type === 'permission_resolved')).toMatchObject({ allowed: true, agent: 'agent-1' });
  });

  it('are stopped one by one, or all; one that there is not is refused', async () => {
    const { session, server } = await started();
    const held = gate();
    server.setScript(
      scripts(startsInBackground('a', 'b', 'c'), async () => {
        await held.pass();
        return reply().text('late');
      }),
    );
    await session.send('Go');
    await eventually(async () => expect(await states(session)).toEqual(['agent-1 working', 'agent-2 working', 'agent-3 working']));
    for (const odd of ['agent-9', '', '__proto__', 1n, null, {}]) await expect(session.stopAgents(odd as string)).rejects.toMatchObject({ code: 'invalid' });
    await session.stopAgents('agent-2');
    await eventually(async () => expect(await states(session)).toEqual(['agent-1 working', 'agent-2 cancelled', 'agent-3 working']));
    await session.stopAgents();
    await eventually(async () => expect(await states(session)).toEqual(['agent-1 cancelled', 'agent-2 cancelled', 'agent-3 cancelled']));
    held.open();
    await session.close();
    await expect(session.stopAgents()).rejects.toMatchObject({ code: 'closed' });
    await expect(session.agents()).rejects.toMatchObject({ code: 'closed' });
  });

  it('are there only where the extension wants the tool, and have no tool that it does not want', async () => {
    const none = await started({ tools: ['read'] });
    none.server.setScript(() => reply().text('Done.'));
    await none.session.send('Go');
    await eventually(() => expect(none.session.state).toBe('idle'));
    const named = (server: ModelServer): readonly string[] => (server.requests.at(-1)?.body.tools ?? []).map(({ name }) => String(name));
    expect(named(none.server)).toEqual(['read']);
    const some = await started({ tools: ['read', 'agent'] });
    let ofAgent: readonly string[] = [];
    some.server.setScript(
      scripts(givesAway(part('a')), () => {
        ofAgent = named(some.server);
        return reply().text('found');
      }),
    );
    await some.session.send('Go');
    await eventually(() => expect(some.session.state).toBe('idle'));
    expect([named(some.server), ofAgent]).toEqual([['read', 'agent'], ['read']]);
  });
});
