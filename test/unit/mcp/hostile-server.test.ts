import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { CALL_TRICKS } from '../../support/mcp/hostile/call-tricks.mjs';
import { HOSTILE_HTTP_PROGRAM, HOSTILE_PROGRAM, HOSTILE_TRICKS, tricksOver } from '../../support/mcp/hostile/index.js';
import { LIST_TRICKS } from '../../support/mcp/hostile/list-tricks.mjs';
import { NET_TRICKS } from '../../support/mcp/hostile/net-tricks.mjs';
import { PROCESS_TRICKS } from '../../support/mcp/hostile/process-tricks.mjs';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

function keys(...tables: readonly object[]): readonly string[] {
  return tables.flatMap((table) => Object.keys(table)).sort();
}

describe('the hostile server', () => {
  it('has a row for each trick, and each row can be played', () => {
    expect([...tricksOver('stdio')].sort()).toEqual(keys(LIST_TRICKS, CALL_TRICKS, PROCESS_TRICKS));
    expect([...tricksOver('http')].sort()).toEqual(keys(LIST_TRICKS, CALL_TRICKS, NET_TRICKS));
    expect([...tricksOver('sse')].sort()).toEqual(keys(LIST_TRICKS, CALL_TRICKS));
    expect(new Set(HOSTILE_TRICKS.map(({ name }) => name)).size).toBe(HOSTILE_TRICKS.length);
  });

  it('is a program that speaks over its standard input and output, and ends with its input', async () => {
    const program = spawn(process.execPath, [HOSTILE_PROGRAM, 'well-behaved']);
    const ended = once(program, 'exit');
    program.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    const [line] = (await once(createInterface({ input: program.stdout }), 'line')) as [unknown];
    expect(JSON.parse(String(line))).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    program.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it('is a program that speaks over HTTP', async () => {
    const program = spawn(process.execPath, [HOSTILE_HTTP_PROGRAM, 'well-behaved']);
    const ended = once(program, 'exit');
    const [line] = (await once(createInterface({ input: program.stdout }), 'line')) as [unknown];
    const { url } = JSON.parse(String(line)) as { readonly url: string };
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(INITIALIZE) });
    expect(answer.headers.get('mcp-session-id')).toBe('session-2');
    expect(await answer.text()).toContain('"protocolVersion":"2025-11-25"');
    program.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it('says so when it does not know a trick', async () => {
    const program = spawn(process.execPath, [HOSTILE_PROGRAM, 'none'], { stdio: 'ignore' });
    expect(await once(program, 'exit')).toEqual([64, null]);
  });
});
