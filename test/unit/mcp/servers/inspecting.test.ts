import { describe, expect, it } from 'vitest';
import { MAX_TRAFFIC_CHARACTERS } from '../../../../src/domain/mcp/connection.js';
import { scrubber } from '../../../../src/mcp/servers/clean-line.js';
import { OPEN_GATE, Rig, entryOf } from './rig.js';

const CANARY = 'canary-7f3a"9b1c';

describe('scrubber', () => {
  it.each([
    ['colors and titles', '\u001b[1;31mred\u001b[0m \u001b]0;title\u0007end \u001b]8;;http://evil\u001b\\link \u009b2Jclear', 'red end link clear'],
    ['M-32: what is not seen', 'a\u202Eb\u200Bc\rd\u0000', 'a\\u{202e}b\\u{200b}c\\u{d}d\\u{0}'],
    ['tabs', 'a\tb', 'a  b'],
    ['M-38: known secrets', `key ${CANARY}!`, 'key [redacted]!'],
    ['M-38: known secrets in JSON', JSON.stringify({ key: CANARY }), '{"key":"[redacted]"}'],
    ['M-38: known secrets that colors divide', `${CANARY.slice(0, 5)}\u001b[0m${CANARY.slice(5)}`, '[redacted]'],
    ['what looks like a secret', 'Authorization: Bearer abcdef123456789', 'Authorization: Bearer [redacted]'],
  ])('removes %s', (_, line, shown) => {
    expect(scrubber([CANARY])(line)).toBe(shown);
  });

  it('replaces a secret that begins with another one as a whole', () => {
    expect(scrubber(['12345678', '12345678-and-more'])('12345678-and-more')).toBe('[redacted]');
  });

  it('M-38: replaces the beginning of a secret that was cut off', () => {
    expect(scrubber([CANARY])(`key ${CANARY.slice(0, 8)}`)).toBe('key [redacted]');
    expect(scrubber([CANARY])('key cana')).toBe('key cana');
  });

  it('M-22: cuts long lines, and no secret with them', () => {
    const line = scrubber([CANARY])(`${'x'.repeat(15_990)}${CANARY}${'y'.repeat(10_000_000)}`);
    expect(line.length).toBeLessThan(4_100);
    expect(line).not.toContain('canary');
  });
});

describe('the error output of a server', () => {
  it('conf-13: keeps the newest 100 lines, and tells them together', async () => {
    const rig = new Rig();
    await rig.connected();
    const told = rig.events.length;
    for (let line = 0; line < 10_000; line += 1) rig.connector.last.handlers.stderr(`line ${line}`);
    expect(rig.events).toHaveLength(told);
    await rig.time.pass(200);
    expect(rig.events).toHaveLength(told + 1);
    expect(rig.state().stderr).toHaveLength(100);
    expect(rig.state().stderr.at(-1)).toBe('line 9999');
  });
});

describe('the inspector', () => {
  it('shows the newest 200 messages with method, id and latency', async () => {
    const rig = new Rig();
    await rig.connected();
    const { traffic } = rig.connector.last.handlers;
    for (let message = 0; message < 1_000; message += 1) traffic({ direction: 'received', text: '{"jsonrpc":"2.0","method":"notifications/progress"}' });
    traffic({ direction: 'sent', text: '{"jsonrpc":"2.0","id":7,"method":"tools/call"}' });
    await rig.time.pass(1_500);
    traffic({ direction: 'received', text: '{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no"}}' });
    traffic({ direction: 'received', text: '{"jsonrpc":"2.0","id":7,"result":{"content":[]}}' });
    traffic({ direction: 'received', text: '{"jsonrpc":"2.0","id":"q","method":"roots/list"}' });
    traffic({ direction: 'received', text: '<html>' });
    const lines = rig.servers.traffic('db');
    expect(lines).toHaveLength(200);
    expect(lines[0]?.seq).toBe(1_005 - 199);
    expect(lines.slice(-6)).toMatchObject([
      { direction: 'received', method: 'notifications/progress' },
      { direction: 'sent', method: 'tools/call', id: '7', at: '1970-01-01T00:00:00.000Z' },
      { direction: 'received', method: 'tools/call', id: '7', latencyMs: 1_500, error: true, at: '1970-01-01T00:00:01.500Z' },
      { direction: 'received', id: '7' },
      { direction: 'received', id: '"q"', method: 'roots/list' },
      { direction: 'received', text: '<html>' },
    ]);
    expect(lines.at(-3)).not.toHaveProperty('latencyMs');
    expect(lines.at(-2)).not.toHaveProperty('latencyMs');
  });

  it('reads the head of messages that were cut, and believes nothing in their bodies', async () => {
    const rig = new Rig();
    await rig.connected();
    const { traffic } = rig.connector.last.handlers;
    const cut = (text: string): string => text.padEnd(MAX_TRAFFIC_CHARACTERS, 'x');
    traffic({ direction: 'sent', text: cut('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"') });
    traffic({ direction: 'received', text: cut('{"jsonrpc":"2.0","result":{"id":1,"method":"tools/call","text":"') });
    traffic({ direction: 'received', text: cut('{"id":1,"jsonrpc":"2.0","result":{"text":"') });
    expect(rig.servers.traffic('db').map(({ method, id, latencyMs }) => ({ method, id, latencyMs }))).toEqual([
      { method: 'tools/call', id: '1', latencyMs: undefined },
      { method: undefined, id: undefined, latencyMs: undefined },
      { method: 'tools/call', id: '1', latencyMs: 0 },
    ]);
  });

  it('M-38: makes a report without secrets, wherever they are', async () => {
    const rig = new Rig();
    rig.gate = async (entry) => ({ ...(await OPEN_GATE(entry)), secrets: [CANARY] });
    const config = { type: 'stdio', command: 'node', args: ['server.js', '--token', CANARY], env: { API_KEY: CANARY } } as const;
    await rig.servers.update([entryOf('db', { config })]);
    rig.servers.want();
    await rig.settle();
    const { handlers } = rig.connector.last;
    handlers.stderr(`started with ${CANARY}`);
    handlers.traffic({ direction: 'sent', text: JSON.stringify({ id: 1, method: 'tools/call', params: { key: CANARY } }) });
    await rig.answer();
    await rig.time.pass(200);
    const report = rig.servers.report('db');
    expect(report).toContain('Status: connected');
    expect(report).toContain('Agreed on: 2025-11-25 (legacy) over stdio');
    expect(report).toContain('Command: node server.js --token ');
    expect(report).toContain('Environment: API_KEY');
    expect(report).toContain('Configured in: /w/.mcp.json:3 (claude, workspace)');
    expect(report).toContain('→ tools/call #1 {"id":1');
    expect(report).toContain('started with [redacted]');
    expect(report + JSON.stringify([rig.servers.traffic('db'), rig.state().stderr])).not.toContain('canary');
  });

  it('M-38: shows no token that came later', async () => {
    const rig = new Rig();
    await rig.connected();
    rig.connector.last.handlers.traffic({ direction: 'received', text: 'The token renewed-5c1f is not valid.' });
    rig.tokens.push('renewed-5c1f');
    expect(rig.servers.traffic('db')).toMatchObject([{ text: 'The token [redacted] is not valid.' }]);
  });

  it('M-38: names the headers of an address, and nothing behind its path', async () => {
    const rig = new Rig();
    const config = { type: 'http', url: `https://user:${CANARY}@example.org/mcp?key=${CANARY}`, headers: { Authorization: CANARY } } as const;
    await rig.servers.update([entryOf('db', { config })]);
    const report = rig.servers.report('db');
    expect(report).toContain('Address (http): https://…@example.org/mcp?…');
    expect(report).toContain('Headers: Authorization');
    expect(report).toContain('No connection was made.');
    expect(report).not.toContain('canary');
    expect(rig.servers.report('none')).toBe('');
  });
});
