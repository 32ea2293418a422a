import { expect, test } from 'vitest';
import { OpenSessions } from '../../../src/agent-host/open-sessions.js';
import type { AgentSession } from '../../../src/engine/agent-session.js';
import { type Rig, rig, testTool } from '../engine/rig.js';
import { answers, calls, stops } from '../../support/scripted-provider/index.js';

const go = [{ type: 'text' as const, text: 'go' }];

/** A session that asks once, before it runs a command. */
function asking(): Rig {
  return rig({
    scripts: [[...calls(0, 'c', { name: 'bash', args: { on: 'x' } }), ...stops('tool_use')], answers('Done.')],
    tools: [testTool('bash', { kind: 'execute' })],
  });
}

/** A session under another id. */
function renamed(session: AgentSession, id: string): AgentSession {
  return new Proxy(session, { get: (target, name): unknown => (name === 'id' ? id : Reflect.get(target, name, target)) });
}

const asksOf = (sessions: OpenSessions): readonly string[] => sessions.asks.map(({ callId }) => callId);

/** Resolves when something else waits in one of the sessions. */
function changed(sessions: OpenSessions): Promise<void> {
  return new Promise((resolve) => {
    const stop = sessions.onDidChangeAsks(() => {
      stop();
      resolve();
    });
  });
}

test('what waits in any of the sessions is told, and who answers finds the session', async () => {
  const sessions = new OpenSessions();
  const { session } = asking();
  sessions.add(session);
  const waits = changed(sessions);
  const { turn } = session.send(go);
  await waits;
  expect(asksOf(sessions)).toEqual(['c']);
  const [ask] = sessions.asks;
  const answered = changed(sessions);
  expect(sessions.find(ask?.who.session ?? '')).toBe(session);
  session.answer('c', { type: 'allow' });
  await answered;
  expect(asksOf(sessions)).toEqual([]);
  expect((await turn).end).toBe('end_turn');
});

test('a session that has left is not found, what waits in it is not told, and it tells nothing more', async () => {
  const sessions = new OpenSessions();
  const { session } = asking();
  const leave = sessions.add(session);
  const waits = changed(sessions);
  const { turn } = session.send(go);
  await waits;
  leave();
  expect([sessions.find(session.id), sessions.asks]).toEqual([undefined, []]);
  let told = 0;
  sessions.onDidChangeAsks(() => (told += 1));
  session.cancel();
  await turn;
  expect(told).toBe(0);
});

test('a session that leaves takes no other one with it: neither one beside it, nor its successor under the same id', () => {
  const sessions = new OpenSessions();
  const [first, second, other] = [asking().session, asking().session, renamed(asking().session, 'other')];
  expect(first.id).toBe(second.id);
  const leave = sessions.add(first);
  const leaveAgain = sessions.add(second);
  sessions.add(other);
  leave();
  expect([sessions.find(first.id), sessions.find('other')]).toEqual([second, other]);
  leaveAgain();
  expect([sessions.find(first.id), sessions.find('other')]).toEqual([undefined, other]);
});

test('a sentence is told in the session it is for; the one that the user works in is known', () => {
  const sessions = new OpenSessions();
  const told: object[] = [];
  const stop = sessions.onDidTell((each) => told.push(each));
  expect(sessions.shown).toBe('');
  sessions.show('a');
  sessions.tell('b', 'The server is gone.');
  stop();
  sessions.tell('b', 'It is back.');
  expect([sessions.shown, told]).toEqual(['a', [{ session: 'b', text: 'The server is gone.' }]]);
});
