import { describe, expect, test } from 'vitest';
import type { McpConnection } from '../../../../src/domain/mcp/connection.js';
import { WatchedResources } from '../../../../src/mcp/resources/watched-resources.js';
import { FAKE_AGREEMENT } from '../../../support/mcp/fake-connector.js';
import { FakeServers } from '../../../support/mcp/fake-servers.js';

const ISSUE = { server: 'tracker', uri: 'issue://7' };

interface Watching {
  readonly servers: FakeServers;
  readonly watched: WatchedResources;
  /** What was subscribed to and ended, in order. */
  readonly done: readonly string[];
  readonly warnings: readonly string[];
  /** The note for a chat; empty without one. */
  readonly note: (chat: string) => string;
}

function watching(subscribe?: McpConnection['subscribe']): Watching {
  const done: string[] = [];
  const warnings: string[] = [];
  let second = 0;
  const servers = new FakeServers().set(
    'tracker',
    {},
    {
      subscribe:
        subscribe ??
        ((uri) => {
          done.push(`+${uri}`);
          return Promise.resolve(() => Promise.resolve(void done.push(`-${uri}`)));
        }),
    },
  );
  const clock = { timestamp: () => `2026-01-01T00:00:0${(second += 1)}Z` as const, monotonic: () => 0 };
  const watched = new WatchedResources({ servers, clock, log: { info: () => undefined, warn: (text) => warnings.push(text), error: () => undefined } });
  return {
    servers,
    watched,
    done,
    warnings,
    note: (chat) =>
      watched
        .facts(chat)
        .map(({ label, value }) => `${label}: ${value}`)
        .join('\n'),
  };
}

/** Lets what was asked of the fake answer. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('resources that were mentioned in open chats', () => {
  test('a change is noted for each chat that mentioned it, without the content, and anew when it changes again', async () => {
    const { servers, watched, note, done } = watching();
    watched.watch('a', ISSUE);
    watched.watch('b', ISSUE);
    watched.watch('b', { server: 'tracker', uri: 'issue://8' });
    await settled();
    expect(done).toEqual(['+issue://7', '+issue://8']);
    expect(note('a')).toBe('');
    servers.tell({ type: 'resource', id: 'tracker', uri: 'issue://7' });
    expect(note('a')).toBe(
      'MCP resources that have changed, or may have, since they were attached: issue://7 of the MCP server tracker, at 2026-01-01T00:00:01Z',
    );
    expect(note('b')).toBe(note('a'));
    expect(note('c')).toBe('');
    servers.tell({ type: 'resource', id: 'tracker', uri: 'issue://7' });
    expect(note('a')).toContain('00:00:02Z');
    servers.tell({ type: 'resource', id: 'other', uri: 'issue://8' });
    expect(note('b')).not.toContain('issue://8');
  });

  test('mentioned again, it is what the chat knows', async () => {
    const { servers, watched, note } = watching();
    watched.watch('a', ISSUE);
    await settled();
    servers.tell({ type: 'resource', id: 'tracker', uri: 'issue://7' });
    watched.watch('a', ISSUE);
    expect(note('a')).toBe('');
  });

  test('it ends with the last chat that mentioned it, and with the window', async () => {
    const { servers, watched, done } = watching();
    watched.watch('a', ISSUE);
    watched.watch('b', ISSUE);
    await settled();
    watched.forget('a');
    await settled();
    expect(done).toEqual(['+issue://7']);
    watched.forget('b');
    await settled();
    expect(done).toEqual(['+issue://7', '-issue://7']);
    watched.watch('c', ISSUE);
    await settled();
    watched.dispose();
    await settled();
    expect(done.slice(2)).toEqual(['+issue://7', '-issue://7']);
    expect(servers.listening).toBe(0);
  });

  test('one that ended while it was asked for is ended all the same', async () => {
    const ended: string[] = [];
    let answer: ((end: () => Promise<void>) => void) | undefined;
    const { watched } = watching(() => new Promise((resolve) => (answer = resolve)));
    watched.watch('a', ISSUE);
    await settled();
    watched.forget('a');
    answer?.(() => Promise.resolve(void ended.push('end')));
    await settled();
    expect(ended).toEqual(['end']);
  });

  test('after a reconnection it listens again, and says that something may have changed', async () => {
    const { servers, watched, note, done } = watching();
    watched.watch('a', ISSUE);
    await settled();
    servers.set('tracker', { status: 'pending', waitsFor: 'restart' });
    servers.set('tracker', { status: 'connected' });
    servers.set('tracker', { warnings: [] });
    await settled();
    expect(done).toEqual(['+issue://7', '+issue://7']);
    expect(note('a')).toContain('issue://7');
  });

  test('a server that is not there yet is asked as soon as it is', async () => {
    const { servers, watched, note, done } = watching();
    servers.set('tracker', { status: 'pending', agreement: { ...FAKE_AGREEMENT, capabilities: { ...FAKE_AGREEMENT.capabilities, subscriptions: false } } });
    watched.watch('a', ISSUE);
    await settled();
    expect(done).toEqual([]);
    servers.set('tracker', { status: 'connected', agreement: FAKE_AGREEMENT });
    await settled();
    expect(done).toEqual(['+issue://7']);
    expect(note('a')).toBe('');
  });

  test('a server that cannot tell is not asked; one that refuses is asked once, and the log says so', async () => {
    let asked = 0;
    const { servers, watched, warnings } = watching(() => Promise.reject(new Error(`no ${(asked += 1)}`)));
    watched.watch('a', { server: 'tracker', uri: 'issue://\u202E' });
    await settled();
    servers.set('tracker', {});
    await settled();
    expect(warnings).toEqual([String.raw`The MCP server tracker does not tell of changes of issue://\u{202e}: no 1`]);
    servers.set('mute', { agreement: { ...FAKE_AGREEMENT, capabilities: { ...FAKE_AGREEMENT.capabilities, subscriptions: false } } });
    watched.watch('a', { server: 'mute', uri: 'x:y' });
    await settled();
    expect(warnings).toHaveLength(1);
  });

  test('the newest twenty of a chat are watched, and a name cannot pass for a line of its own', async () => {
    const { servers, watched, note, done } = watching();
    for (let index = 0; index < 25; index += 1) watched.watch('a', { server: 'tracker', uri: `issue://${index}\nx` });
    await settled();
    expect(done.filter((each) => each.startsWith('-'))).toHaveLength(5);
    servers.tell({ type: 'resource', id: 'tracker', uri: 'issue://24\nx' });
    expect(note('a')).toContain(String.raw`issue://24\u{a}x of`);
  });
});
