import { describe, expect, it } from 'vitest';
import { rootsOf } from '../../../../src/mcp/asking/roots.js';
import { FORM, page, Rig } from './rig.js';

/** A call that runs until it is ended. */
function running(rig: Rig, session: string, server = 'srv'): () => Promise<void> {
  let end: () => void = () => undefined;
  const call = rig.calls.during(server, session, () => new Promise<void>((resolve) => (end = resolve)));
  return () => {
    end();
    return call;
  };
}

describe('where servers ask', () => {
  it('is the chat whose call they work on, and the one that is shown when there is none', async () => {
    const rig = new Rig();
    const end = running(rig, 'background');
    void rig.elicit(FORM);
    expect((await rig.question('background')).session).toBe('background');
    void rig.elicit(FORM, { server: 'other' });
    expect((await rig.question('chat')).serverId).toBe('other');
    expect(rig.asking.waiting).toEqual(['background', 'chat']);
    await end();
  });

  it('is the shown one of several chats whose calls they work on, else the last', async () => {
    const rig = new Rig();
    const ends = [running(rig, 'a'), running(rig, 'b')];
    rig.shown = 'a';
    void rig.elicit(FORM);
    await rig.question('a');
    rig.shown = 'somewhere else';
    void rig.elicit(FORM);
    await rig.question('b');
    await Promise.all(ends.map((end) => end()));
  });

  it('M-10: is over when the last call of the chat is: the server gets “cancel”', async () => {
    const rig = new Rig();
    const [first, second, other] = [running(rig, 'a'), running(rig, 'a'), running(rig, 'b')];
    rig.shown = 'a';
    const answer = rig.elicit(FORM);
    await rig.question('a');
    await first();
    expect(rig.asking.open('a')).toHaveLength(1);
    await second();
    await expect(answer).resolves.toEqual({ action: 'cancel' });
    expect(rig.asking.open('a')).toEqual([]);
    await other();
  });

  it('is over when the server goes away, the chat is closed, or the window', async () => {
    const rig = new Rig();
    const gone = new AbortController();
    const lost = rig.elicit(FORM, { signal: gone.signal });
    await rig.question();
    gone.abort();
    await expect(lost).rejects.toMatchObject({ name: 'AbortError' });
    const closed = rig.elicit(FORM);
    await rig.question();
    rig.asking.close('elsewhere');
    expect(rig.asking.open('chat')).toHaveLength(1);
    rig.asking.close('chat');
    await expect(closed).resolves.toEqual({ action: 'cancel' });
    await expect(rig.elicit(FORM, { signal: gone.signal })).rejects.toMatchObject({ name: 'AbortError' });
    rig.known = false;
    await expect(rig.elicit(FORM)).rejects.toMatchObject({ name: 'McpRefusal' });
  });

  it('keeps the order in which they asked, and tells of each change', async () => {
    const rig = new Rig();
    let changes = 0;
    rig.asking.onDidChange(() => (changes += 1));
    for (const server of ['a', 'b', 'c']) void rig.elicit(FORM, { server });
    expect(rig.asking.open('chat').map(({ serverId }) => serverId)).toEqual(['a', 'b', 'c']);
    rig.asking.answer((await rig.question()).id, { action: 'cancel' });
    expect(changes).toBe(4);
  });
});

describe('a server that asks too much', () => {
  it('M-11: that asks in a loop is refused after five that were not accepted, for five minutes, and the user is told once', async () => {
    const rig = new Rig();
    for (let round = 0; round < 5; round += 1) {
      const answer = rig.elicit(FORM);
      rig.asking.answer((await rig.question()).id, { action: round % 2 === 0 ? 'decline' : 'cancel' });
      await answer;
    }
    for (let round = 0; round < 3; round += 1)
      await expect(rig.elicit(FORM)).rejects.toMatchObject({ name: 'McpRefusal', message: 'The last 5 requests were not accepted. Do not ask again now.' });
    expect(rig.told).toEqual([{ session: 'chat', text: 'The MCP server “The srv” keeps asking. Gnomon does not pass on its requests for a few minutes.' }]);
    // Another server is none the worse for it.
    void rig.elicit(FORM, { server: 'other' });
    expect((await rig.question()).serverId).toBe('other');
    rig.now += 5 * 60_000;
    void rig.elicit(FORM);
    expect(rig.asking.open('chat')).toHaveLength(2);
  });

  it('may ask on when the user accepts', async () => {
    const rig = new Rig();
    for (let round = 0; round < 12; round += 1) {
      const answer = rig.elicit(FORM);
      const { id } = await rig.question();
      rig.asking.answer(id, round % 4 === 3 ? { action: 'accept', content: { name: 'x' } } : { action: 'decline' });
      await answer;
    }
    expect(rig.told).toEqual([]);
  });

  it('counts what it takes back and what cannot be asked, too', async () => {
    const rig = new Rig();
    for (let round = 0; round < 3; round += 1) {
      const gone = new AbortController();
      const answer = rig.elicit(FORM, { signal: gone.signal });
      gone.abort();
      await expect(answer).rejects.toThrow();
    }
    for (let round = 0; round < 2; round += 1) await expect(rig.elicit(page('file:///x'))).rejects.toThrow('Only addresses');
    await expect(rig.elicit(FORM)).rejects.toThrow('Do not ask again now.');
  });

  it('has three questions open at most, and twenty in a minute', async () => {
    const rig = new Rig();
    for (let each = 0; each < 3; each += 1) void rig.elicit(FORM);
    await expect(rig.elicit(FORM)).rejects.toThrow('3 requests that the user has not answered');
    expect(rig.asking.open('chat')).toHaveLength(3);
    for (let round = 4; round < 20; round += 1) {
      rig.asking.answer((await rig.question()).id, { action: 'accept', content: { name: 'x' } });
      void rig.elicit(FORM);
    }
    rig.asking.answer((await rig.question()).id, { action: 'accept', content: { name: 'x' } });
    await expect(rig.elicit(FORM)).rejects.toThrow('at most 20 in a minute');
    rig.now += 60_000;
    void rig.elicit(FORM);
    expect(rig.asking.open('chat')).toHaveLength(3);
  });
});

describe('roots', () => {
  it('are the folders on this machine, once the user trusts them', () => {
    const folders = [
      { uri: 'file:///w/a', name: 'a' },
      { uri: 'vscode-vfs://github/o/r', name: 'r' },
      { uri: 'file:///w/b%20c', name: 'b c' },
    ];
    expect(rootsOf(folders, true)).toEqual([
      { uri: 'file:///w/a', name: 'a' },
      { uri: 'file:///w/b%20c', name: 'b c' },
    ]);
    expect(rootsOf(folders, false)).toEqual([]);
    expect(new Rig().asking.questions('srv').roots()).toEqual([{ uri: 'file:///w', name: 'w' }]);
  });
});
