import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { errorMessage } from '../../../src/domain/errors.js';
import { MCP_REVISIONS, McpError } from '../../../src/domain/mcp/connection.js';
import type { McpElicitation } from '../../../src/domain/mcp/request.js';
import { eventually } from '../../support/eventually.js';
import { HOSTILE_TRICKS, type HostileTrickName, hostileStdio, startHostileHttp } from '../../support/mcp/hostile/index.js';
import { running } from '../../support/running-processes.js';
import { failure, Window } from './auth/window.js';
import { type Game, play } from './hostile-rig.js';

/** What shows that a trick has failed; a sentence says where that is tested if it is not a matter of the client. */
type Row = (() => Promise<void>) | string;

/** Milliseconds by which everything may be late on a machine with much else to do. */
const BUSY_MS = 3_000;
const VISIBLE = /^[^\p{Cc}\p{Cf}]*$/u;

/** Answers each question, and keeps them. */
function answering(): { readonly asked: McpElicitation[]; readonly questions: NonNullable<Parameters<typeof play>[1]>['questions'] & object } {
  const asked: McpElicitation[] = [];
  const elicit = (question: McpElicitation): Promise<{ readonly action: 'accept'; readonly content: { readonly name: string } }> => {
    asked.push(question);
    return Promise.resolve({ action: 'accept', content: { name: 'Ada' } });
  };
  return { asked, questions: { elicit } };
}

/** A server that works though it does something odd: its honest tool can be called twice. */
async function stillWorks(game: Game): Promise<void> {
  expect(await game.text()).toBe('hello');
  expect(await game.text('echo', 'again')).toBe('again');
  expect(game.state.status).toBe('connected');
}

/** A sign-in that is waited for without asking the server again, and that is refused before anything is opened. */
async function refusesSignIn(trick: HostileTrickName): Promise<void> {
  const window = new Window();
  const game = await play(trick, { over: 'http', hurried: true, auth: (target) => window.auth.access(target) });
  const { entry } = await game.reached('needs-auth');
  const requests = game.http.requests.length;
  await delay(200);
  expect(game.http.requests).toHaveLength(requests);
  const error = await failure(window.signIn({ name: entry.name, config: entry.config, cwd: process.cwd() }));
  expect(error).toBeInstanceOf(McpError);
  expect(window.opened).toEqual([]);
  expect(window.secrets.text).not.toContain('hostile-token');
  expect(game.state.status).toBe('needs-auth');
}

const LISTS: Partial<Record<HostileTrickName, Row>> = {
  'well-behaved': async () => {
    for (const over of ['stdio', 'http', 'sse'] as const) {
      const game = await play('well-behaved', { over });
      await stillWorks(game);
      expect(game.state.agreement).toMatchObject({ era: 'legacy', revision: '2025-11-25', transport: over, server: { name: 'hostile' } });
      await game.servers.dispose();
    }
  },
  'rug-pull': async () => {
    for (const over of ['stdio', 'http'] as const) {
      const game = await play('rug-pull', { over });
      const [echo, lookup] = (await game.reached('connected')).tools;
      expect(await game.text('lookup')).toBe('hello');
      await eventually(() => expect(game.state.tools[1]?.description).toContain('IMPORTANT'));
      expect(game.state.tools[0]).toBe(echo);
      const call = { signal: new AbortController().signal };
      await expect(game.servers.call('hostile', lookup ?? (await game.tool('lookup')), {}, call)).rejects.toMatchObject({ kind: 'refused' });
      await game.servers.dispose();
    }
  },
  shadowing: 'Names for models are made by src/mcp/tools; see test/unit/mcp/tools/names.test.ts.',
  'name-collision': async () => {
    const game = await play('name-collision');
    const { tools } = await game.reached('connected');
    expect(tools.map(({ name }) => name)).toEqual(['a.b', 'a_b', 'a b', 'same']);
    expect(tools.at(-1)?.description).toBe('The first.');
  },
  'odd-names': async () => {
    const game = await play('odd-names');
    const { tools, warnings } = await game.reached('connected');
    expect(tools.map(({ name }) => name)).toContain('__proto__');
    expect(tools.map(({ name }) => name)).not.toContain('');
    expect(warnings).toHaveLength(1);
    expect(await game.text('constructor')).toBe('hello');
  },
  'read-only-lie': 'Permission decides; see test/unit/mcp/tools/consent.test.ts.',
  'hidden-characters': async () => {
    const game = await play('hidden-characters');
    expect(await game.text()).toContain('result');
    await eventually(() => expect(game.state.stderr).not.toEqual([]));
    const shown = [...game.state.stderr, ...game.state.warnings, ...game.servers.traffic('hostile').map(({ text }) => text)];
    for (const line of shown) expect(line).toMatch(VISIBLE);
    for (const line of game.servers.report('hostile').split('\n')) expect(line).toMatch(VISIBLE);
  },
  'svg-icon': async () => {
    const game = await play('svg-icon');
    for (const { src } of (await game.tool('echo')).icons ?? []) expect(src).toMatch(/^(?:https:|data:)/);
    await stillWorks(game);
  },
  'many-tools': async () => {
    const game = await play('many-tools');
    expect((await game.reached('connected')).tools).toHaveLength(1_000);
    expect(await game.text('tool_999')).toBe('hello');
  },
  'network-ref': async () => {
    const witness = await startHostileHttp('well-behaved');
    try {
      const game = await play('network-ref', { argument: witness.origin });
      const result = await game.call();
      expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
      expect(witness.requests).toEqual([]);
    } finally {
      await witness.close();
    }
  },
  'deep-schema': async () => leavesOut(await play('deep-schema'), 'deep'),
  'huge-schema': async () => leavesOut(await play('huge-schema'), 'huge'),
  'root-any-of': async () => {
    const game = await play('root-any-of');
    expect((await game.tool('any')).inputSchema).toMatchObject({ anyOf: [{}, {}] });
    await stillWorks(game);
  },
  'cursor-loop': async () => {
    const game = await play('cursor-loop');
    const { tools, warnings } = await game.reached('connected');
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'again']);
    expect(warnings).toHaveLength(1);
    await stillWorks(game);
  },
  'endless-pages': async () => {
    const game = await play('endless-pages');
    const { tools, warnings } = await game.reached('connected');
    expect(tools).toHaveLength(100);
    expect(warnings).toHaveLength(1);
    await stillWorks(game);
  },
  'list-changed-echo': async () => {
    // A tenth of the usual quiet time, and of what is waited for to see that no more come.
    const game = await play('list-changed-echo', { limits: { changeMs: 25, changeMaxMs: 200 } });
    const echo = await game.tool('echo');
    await eventually(() => expect(game.sent('tools/list')).toBe(10));
    await delay(200);
    expect(game.sent('tools/list')).toBe(10);
    expect(game.state.tools).toHaveLength(2);
    expect(game.state.tools[0]).toBe(echo);
    await stillWorks(game);
  },
  'list-changed-storm': async () => {
    const game = await play('list-changed-storm');
    const echo = await game.tool('echo');
    await game.call();
    await eventually(() => expect(game.sent('tools/list')).toBeGreaterThan(1));
    expect(game.sent('tools/list')).toBeLessThanOrEqual(5);
    expect(game.state.tools[0]).toBe(echo);
  },
};

async function leavesOut(game: Game, tool: string): Promise<void> {
  const { tools, warnings } = await game.reached('connected');
  expect(tools.map(({ name }) => name)).toEqual(['echo']);
  expect(warnings).toEqual([expect.stringContaining(tool)]);
  await stillWorks(game);
}

const CALLS: Partial<Record<HostileTrickName, Row>> = {
  'silent-call': async () => {
    const game = await play('silent-call');
    await expect(game.call('hang', '', { idleMs: 100 })).rejects.toMatchObject({ kind: 'timeout' });
    const stop = new AbortController();
    const stopped = expect(game.call('hang', '', { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
    await eventually(() => expect(game.sent('tools/call')).toBe(2));
    stop.abort();
    await stopped;
    expect(await game.text()).toBe('here');
  },
  'progress-flood': async () => {
    const game = await play('progress-flood');
    await game.reached('connected');
    const told: number[] = [];
    const start = performance.now();
    expect(await game.text('echo', '', { progress: ({ progress }) => void told.push(progress), idleMs: 10_000 })).toBe('10,000 sent');
    const seconds = (performance.now() - start) / 1_000;
    expect(told.length).toBeGreaterThan(0);
    expect(told.length).toBeLessThanOrEqual(Math.ceil(seconds * 20) + 2);
    expect(told).toEqual([...told].sort((one, other) => one - other));
  },
  'huge-text': async () => {
    expect(await (await play('huge-text')).text()).toHaveLength(3_000_000 + 'begin  end'.length);
  },
  'huge-image': async () => {
    expect(await (await play('huge-image')).call()).toMatchObject({ content: [{ type: 'image', mimeType: 'image/png' }] });
  },
  'bad-base64': async () => {
    const { content } = await (await play('bad-base64')).call();
    expect(content.map(({ type }) => type)).toEqual(['image', 'image', 'audio']);
  },
  'wrong-structured': async () => {
    const game = await play('wrong-structured');
    expect(await game.call()).toMatchObject({ isError: false, structured: { count: 'many' }, mismatch: expect.any(String) as string });
    await game.call();
  },
  'proto-keys': async () => {
    const game = await play('proto-keys');
    expect(await game.text()).toBe('done');
    expect({}).not.toHaveProperty('polluted');
    expect(Object.getPrototypeOf((await game.call()).content[0])).toBe(Object.prototype);
  },
  'duplicate-ids': async () => {
    const game = await play('duplicate-ids');
    expect([await game.text(), await game.text()]).toEqual(['first', 'first']);
  },
  'sloppy-answers': async () => {
    const game = await play('sloppy-answers');
    expect([await game.text(), await game.text()]).toEqual(['more', 'both']);
    for (let call = 0; call < 2; call += 1) await expect(game.call()).rejects.toMatchObject({ kind: 'answered' });
    const other = await play('sloppy-answers', { over: 'http' });
    await expect(other.call()).rejects.toMatchObject({ kind: 'closed' });
    await other.reached('connected');
  },
  'unasked-answers': async () => {
    const game = await play('unasked-answers');
    expect([await game.text(), await game.text()]).toEqual(['asked', 'asked']);
  },
  'mrtr-loop': async () => {
    const { asked, questions } = answering();
    const game = await play('mrtr-loop', { questions });
    await expect(game.call()).rejects.toMatchObject({ kind: 'protocol' });
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThanOrEqual(10);
    expect(game.state.status).toBe('connected');
  },
  'mrtr-changed-question': async () => {
    const { asked, questions } = answering();
    const game = await play('mrtr-changed-question', { questions });
    expect(await game.text()).toContain('Ada');
    expect(asked.map(({ message }) => message)).toEqual(['What is your name?', 'What is the password of your bank?']);
    expect(game.state.agreement).toMatchObject({ era: 'modern', revision: '2026-07-28' });
  },
  'modern-requests': async () => {
    const { asked, questions } = answering();
    for (const over of ['stdio', 'http'] as const) {
      const game = await play('modern-requests', { over, questions });
      expect(await game.text()).toBe('done');
      expect(await game.text()).toBe('done');
      await game.servers.dispose();
    }
    expect(asked).toEqual([]);
  },
  'elicits-secret': async () => {
    const { asked, questions } = answering();
    const game = await play('elicits-secret', { questions });
    await game.call();
    await eventually(() => expect(asked).toMatchObject([{ mode: 'form', fields: [{ name: 'password', required: true }, { name: 'api_token' }] }]));
  },
  'elicits-bad-url': async () => {
    const { asked, questions } = answering();
    const game = await play('elicits-bad-url', { questions });
    const addresses: string[] = [];
    for (let call = 0; call < 8; call += 1) addresses.push(await game.text());
    // What is no address at all does not reach the user; the rest is told as it is, for the user and the one who asks to judge.
    await eventually(() => expect(asked.map((question) => (question.mode === 'url' ? question.url : ''))).toEqual(addresses.slice(0, -1)));
  },
  'echoes-version': async () => {
    const game = await play('echoes-version');
    const { agreement } = await game.reached('connected');
    expect(MCP_REVISIONS).toContain(agreement?.revision);
    expect(agreement?.era).toBe('legacy');
  },
  'unknown-version': async () => {
    const game = await play('unknown-version');
    expect((await game.reached('failed')).problem).toContain('1999-01-01');
    expect(game.state.restarts).toBe(0);
  },
};

const PROCESSES: Partial<Record<HostileTrickName, Row>> = {
  'silent-start': async () => {
    const game = await play('silent-start', { beside: hostileStdio('well-behaved') });
    const tool = await game.tool('echo', 'beside');
    expect(await game.servers.call('beside', tool, { text: 'fine' }, { signal: new AbortController().signal })).toMatchObject({ content: [{ text: 'fine' }] });
    expect(game.state).toMatchObject({ status: 'pending', waitsFor: 'connecting' });
    const start = performance.now();
    await game.servers.stop('hostile');
    expect(performance.now() - start).toBeLessThan(3_000 + BUSY_MS);
    expect(game.state.waitsFor).toBe('start');
  },
  'slow-start': async () => {
    const game = await play('slow-start', { argument: '1500' });
    await game.servers.ready(100);
    expect(game.state.waitsFor).toBe('connecting');
    await stillWorks(game);
  },
  'dies-at-once': async () => {
    const game = await play('dies-at-once', { hurried: true });
    const { problem, stderr, restarts } = await game.reached('failed');
    expect(problem).toContain('exit code 3');
    expect(stderr.slice(0, 2)).toEqual(['Cannot find the database.', 'Giving up.']);
    expect(restarts).toBe(3);
  },
  'dies-in-call': async () => {
    const game = await play('dies-in-call', { hurried: true, beside: hostileStdio('well-behaved') });
    const before = game.state;
    const failure = await game.call('die').then(undefined, (error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'closed' });
    expect(errorMessage(failure)).toMatch(/^“hostile” ended during the call\. The process ended with exit code 7\.\n.*\nOut of memory\.\nAborting\.$/);
    const call = { signal: new AbortController().signal };
    const [echo] = game.state.tools;
    if (echo === undefined) throw new Error('The tools are gone.');
    for (let count = 0; count < 2; count += 1) expect(await game.servers.call('hostile', echo, {}, call)).toMatchObject({ content: [{ text: 'alive' }] });
    expect(game.state).toMatchObject({ status: 'connected', restarts: 1 });
    expect(game.state.tools).toHaveLength(2);
    expect(before.restarts).toBe(0);
    expect((await game.reached('connected', 'beside')).restarts).toBe(0);
  },
  'half-line': async () => {
    const game = await play('half-line', { hurried: true });
    await expect(game.call()).rejects.toMatchObject({ kind: 'closed' });
  },
  'stdout-noise': async () => {
    const game = await play('stdout-noise');
    expect([await game.text(), await game.text()]).toEqual(['done', 'done']);
    await eventually(() => expect(game.state.stderr).toHaveLength(1));
  },
  'html-probe': async () => {
    // It never answers the probe, however long that is waited for.
    const game = await play('html-probe', { limits: { probeMs: 300 } });
    await stillWorks(game);
    expect(game.state.agreement?.era).toBe('legacy');
  },
  'huge-line': async () => {
    const game = await play('huge-line');
    await game.reached('connected');
    const before = process.memoryUsage().arrayBuffers;
    expect([await game.text(), await game.text()]).toEqual(['done', 'done']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  },
  'stderr-flood': async () => {
    const game = await play('stderr-flood');
    expect([await game.text(), await game.text()]).toEqual(['done', 'done']);
    await eventually(() => expect(game.state.stderr.length).toBeGreaterThan(1));
    expect(game.state.stderr.length).toBeLessThanOrEqual(100);
  },
  'ignores-sigterm': async () => {
    const game = await play('ignores-sigterm');
    const pids = JSON.parse(await game.text()) as readonly number[];
    expect(running(pids)).toEqual(pids);
    const start = performance.now();
    await game.servers.dispose();
    expect(performance.now() - start).toBeLessThan(3_000 + BUSY_MS);
    await eventually(() => expect(running(pids)).toEqual([]));
  },
  'prints-environment': async () => {
    const canary = 'canary-4be71d0c';
    process.env['ANTHROPIC_API_KEY'] = canary;
    try {
      const game = await play('prints-environment', { env: { DECLARED: 'declared-value-1' }, secrets: ['declared-value-1'] });
      const environment = JSON.parse(await game.text()) as Readonly<Record<string, string>>;
      expect(environment['DECLARED']).toBe('declared-value-1');
      expect(JSON.stringify(environment)).not.toContain(canary);
      await eventually(() => expect(game.state.stderr.join()).toContain('DECLARED'));
      expect(game.state.stderr.join() + game.servers.report('hostile')).not.toContain('declared-value-1');
    } finally {
      delete process.env['ANTHROPIC_API_KEY'];
    }
  },
};

const NET: Partial<Record<HostileTrickName, Row>> = {
  'http-503': async () => {
    const game = await play('http-503', { over: 'http', hurried: true });
    expect((await game.reached('failed')).problem).toContain('503');
    expect(game.state.restarts).toBe(3);
    const requests = game.http.requests.length;
    await delay(200);
    expect(game.http.requests).toHaveLength(requests);
  },
  'lost-session': async () => {
    const game = await play('lost-session', { over: 'http' });
    await stillWorks(game);
    expect(game.http.requests.filter(({ body }) => body.includes('"initialize"'))).toHaveLength(2);
  },
  'cut-stream': async () => {
    const game = await play('cut-stream', { over: 'http', hurried: true });
    await expect(game.call()).rejects.toMatchObject({ kind: 'closed' });
    await game.reached('connected');
  },
  'redirects-away': async () => {
    const game = await play('redirects-away', {
      over: 'http',
      headers: { Authorization: 'Bearer canary-77aa01', 'X-Api-Key': 'canary-77aa02' },
      hurried: true,
    });
    await game.reached('failed');
    expect(game.http.requests[0]?.headers.authorization).toBe('Bearer canary-77aa01');
    expect(JSON.stringify(game.http.elsewhere)).not.toContain('canary');
    expect(game.servers.report('hostile') + JSON.stringify(game.servers.traffic('hostile'))).not.toContain('canary');
  },
  'oauth-shell': () => refusesSignIn('oauth-shell'),
  'oauth-scheme': () => refusesSignIn('oauth-scheme'),
  'oauth-script': () => refusesSignIn('oauth-script'),
  'oauth-file': () => refusesSignIn('oauth-file'),
  'oauth-unc': () => refusesSignIn('oauth-unc'),
  'oauth-metadata-address': () => refusesSignIn('oauth-metadata-address'),
  'oauth-no-pkce': () => refusesSignIn('oauth-no-pkce'),
};

const ROWS = new Map(Object.entries({ ...LISTS, ...CALLS, ...PROCESSES, ...NET }));

describe('the hostile server and the client', () => {
  it('has a row here for each trick', () => {
    expect([...ROWS.keys()].sort()).toEqual(HOSTILE_TRICKS.map(({ name }) => name).sort());
  });

  for (const { name, does, mustHappen, items } of HOSTILE_TRICKS) {
    const row = ROWS.get(name);
    const title = `${[...items, name].join(' ')}: it ${does} – ${mustHappen}`;
    if (typeof row === 'function') it(title, row);
  }
});
