import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Inbox } from '../../../../src/mcp/client/inbox.js';
import { DEFAULT_LIMITS } from '../../../../src/mcp/client/limits.js';
import { eventually } from '../../../support/eventually.js';
import { connectTo, listening, never, scripted } from './connected.js';

const MODERN = `on['server/discover'] = ({ id }) => reply(id, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });`;

/** A server whose pages of tools are made by `page(number)`, which starts at 1 and is also the cursor. */
function paged(page: string): ReturnType<typeof scripted> {
  return scripted(`const page = ${page}; let calls = 0; on['tools/list'] = ({ id, params }) => reply(id, page(Number(params?.cursor ?? 1), ++calls));`);
}

const TOOL = `(n) => ({ name: 'tool' + n, inputSchema: { type: 'object' } })`;

describe('M-06: a list in pages', () => {
  it('is read to its end', async () => {
    const { connection } = await connectTo(paged(`(n) => ({ tools: [(${TOOL})(n)], ...(n < 5 ? { nextCursor: String(n + 1) } : {}) })`));
    const { items, warnings } = await connection.listTools(never());
    expect(items.map(({ name }) => name)).toEqual(['tool1', 'tool2', 'tool3', 'tool4', 'tool5']);
    expect(warnings).toEqual([]);
  });

  it('is kept as far as it was read when a cursor comes again', async () => {
    const { connection } = await connectTo(paged(`(n) => ({ tools: [(${TOOL})(n)], nextCursor: String((n % 3) + 1) })`));
    const { items, warnings } = await connection.listTools(never());
    expect(items.map(({ name }) => name).slice(0, 3)).toEqual(['tool1', 'tool2', 'tool3']);
    expect(items.length).toBeLessThan(6);
    expect(warnings).toEqual(['The list may not be complete: the server sends the same page again and again.']);
  });

  it('is kept as far as it was read when there are too many pages or items', async () => {
    const endless = paged(`(n) => ({ tools: [(${TOOL})(n)], nextCursor: String(n + 1) })`);
    const { connection } = await connectTo(endless, { deps: { limits: { pages: 4 } } });
    const pages = await connection.listTools(never());
    expect(pages.items).toHaveLength(4);
    expect(pages.warnings).toEqual(['The list is not complete: Gnomon reads no more than 4 pages.']);
    const { connection: other } = await connectTo(endless, { deps: { limits: { items: 3 } } });
    const items = await other.listTools(never());
    expect(items.items).toHaveLength(3);
    expect(items.warnings).toEqual(['The list is not complete: Gnomon reads no more than 3 items.']);
  });

  it('is kept as far as it was read when a page fails, and fails with the first', async () => {
    const { connection } = await connectTo(
      scripted(`on['tools/list'] = ({ id, params }) => params?.cursor ? fail(id, -32603) : reply(id, { tools: [(${TOOL})(1)], nextCursor: '2' });`),
    );
    expect(await connection.listTools(never())).toMatchObject({
      items: [{ name: 'tool1' }],
      warnings: ['The list is not complete: page 2 could not be read.'],
    });
    const { connection: other } = await connectTo(scripted(`on['tools/list'] = ({ id }) => fail(id, -32603, 'broken');`));
    await expect(other.listTools(never())).rejects.toMatchObject({ kind: 'answered', message: 'The server answered with an error: broken' });
  });

  it('is empty, and not asked for, if the server has none', async () => {
    const { connection, told } = await connectTo(scripted(`on.initialize = ({ id }) => reply(id, hello({}));`));
    expect(await connection.listPrompts(never())).toEqual({ items: [], warnings: [] });
    expect(told.traffic.some(({ text }) => text.includes('prompts/list'))).toBe(false);
  });
});

describe('an item that cannot be used', () => {
  it.each([
    ['legacy', ''],
    ['modern', MODERN],
  ])('is left out alone in the %s era, and the list says so', async (_, era) => {
    let deep = '{ type: "object" }';
    for (let depth = 0; depth < 70; depth++) deep = `{ type: "object", properties: { a: ${deep} } }`;
    const tools = `[{ name: 'good', title: 'Good', description: 'Does good.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true, destructiveHint: 'no' }, icons: [{ src: 'https://x.example/i.png', sizes: ['48x48'] }, { src: 'javascript:alert(1)' }] },
      { name: 'no schema' }, { inputSchema: {} }, 'nothing', { name: 'deep', inputSchema: ${deep} }, { name: 'large', inputSchema: { type: 'object', description: 'x'.repeat(300_000) } }]`;
    const { connection } = await connectTo(scripted(`${era} on['tools/list'] = ({ id }) => reply(id, { tools: ${tools} });`));
    const { items, warnings } = await connection.listTools(never());
    expect(items).toEqual([
      {
        name: 'good',
        title: 'Good',
        description: 'Does good.',
        inputSchema: { type: 'object' },
        annotations: { readOnly: true },
        icons: [{ src: 'https://x.example/i.png', sizes: ['48x48'] }],
      },
    ]);
    expect(warnings).toEqual([
      'The tool “no schema” was left out because it does not say what it takes.',
      'A tool was left out because it has no name.',
      'A tool was left out because it has no name.',
      'The tool “deep” was left out because its schema is too large or nested too deeply.',
      'The tool “large” was left out because its schema is too large or nested too deeply.',
    ]);
  });
});

describe('M-07: a list that changes', () => {
  it('100 times in a second is reported a few times', async () => {
    const { connection, told } = await connectTo(
      scripted(
        `on.initialize = ({ id }) => reply(id, hello({ tools: { listChanged: true } })); on['tools/call'] = ({ id }) => { let n = 0; const timer = setInterval(() => { send({ method: 'notifications/tools/list_changed' }); if (++n === 100) { clearInterval(timer); reply(id, { content: [] }); } }, 10); };`,
      ),
    );
    await connection.callTool({ name: 'x', inputSchema: {}, annotations: {} }, {}, { signal: never() });
    await eventually(() => expect(told.changed.length).toBeGreaterThan(0));
    expect(told.changed.length).toBeLessThan(4);
  });

  describe('is reported', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('once it is quiet, or after it has been lively for long, and not after the end', () => {
      const changed: string[] = [];
      const inbox = new Inbox({ ...listening({ changed, updated: [], log: [], traffic: [], stderr: [], closed: [] }) }, DEFAULT_LIMITS);
      inbox.changed('tools');
      vi.advanceTimersByTime(1_000);
      expect(changed).toEqual([]);
      inbox.start();
      inbox.changed('tools');
      inbox.changed('prompts');
      vi.advanceTimersByTime(249);
      expect(changed).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(changed).toEqual(['tools', 'prompts']);
      for (let passed = 0; passed < 3_000; passed += 100) {
        inbox.changed('resources');
        vi.advanceTimersByTime(100);
      }
      expect(changed).toEqual(['tools', 'prompts', 'resources']);
      inbox.changed('tools');
      inbox.stop();
      vi.advanceTimersByTime(10_000);
      expect(changed).toEqual(['tools', 'prompts', 'resources']);
    });
  });
});

describe('resources of the legacy era', () => {
  it('can be watched until that is ended', async () => {
    const { connection, told } = await connectTo(
      scripted(
        `on.initialize = ({ id }) => reply(id, hello({ resources: { subscribe: true } })); on['resources/subscribe'] = ({ id, params }) => { reply(id, {}); send({ method: 'notifications/resources/updated', params }); }; on['resources/unsubscribe'] = ({ id }) => reply(id, {});`,
      ),
    );
    const end = await connection.subscribe('note://one', never());
    await eventually(() => expect(told.updated).toEqual(['note://one']));
    await end();
    expect(told.traffic.some(({ direction, text }) => direction === 'sent' && text.includes('resources/unsubscribe'))).toBe(true);
  });
});

describe('the log of a server', () => {
  it('is asked for in the legacy era, and passed on', async () => {
    const { told } = await connectTo(
      scripted(
        `on.initialize = ({ id }) => reply(id, hello({ logging: {} })); on['logging/setLevel'] = ({ id, params }) => { reply(id, {}); send({ method: 'notifications/message', params: { level: 'warning', logger: 'db', data: { level: params.level } } }); };`,
      ),
    );
    await eventually(() => expect(told.log).toEqual([{ level: 'warning', text: 'db: {"level":"info"}' }]));
  });
});

describe('the inspector', () => {
  it('gets every message, cut to what it keeps', async () => {
    const { connection, told } = await connectTo(
      scripted(`on['tools/call'] = ({ id }) => reply(id, { content: [{ type: 'text', text: 'x'.repeat(1_000_000) }] });`),
    );
    await connection.callTool({ name: 'x', inputSchema: {}, annotations: {} }, {}, { signal: never() });
    const last = told.traffic.at(-1);
    expect(last?.direction).toBe('received');
    expect(last?.text).toHaveLength(4_000);
    expect(last?.text).toMatch(/^\{"jsonrpc":"2\.0","id":\d+,"result":\{"content":\[\{"type":"text","text":"x+$/);
  });
});
