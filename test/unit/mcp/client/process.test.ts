import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { isBasic } from '../../../../src/domain/mcp/environment.js';
import { startServerProcess } from '../../../../src/node/process/server-process.js';
import { eventually } from '../../../support/eventually.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { connectTo, never, scripted, tool } from './connected.js';

const options = { signal: never() };
const TOOLS = `on['tools/list'] = ({ id }) => reply(id, { tools: [{ name: 'run', inputSchema: { type: 'object' } }] });`;
const MEGABYTE = 1024 * 1024;
/** Milliseconds by which everything may be late on a machine with much else to do. */
const BUSY_MS = 3_000;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that nobody has collected yet can be signalled, too.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    // Gone.
    return false;
  }
}

describe('a process that ends', () => {
  it('M-20: fails everything that waits for it, at once and with its exit code', async () => {
    const { connection, told } = await connectTo(
      scripted(`${TOOLS} let calls = 0; on['tools/call'] = () => { if (++calls === 3) { console.error('last words'); process.exit(42); } };`),
    );
    const run = await tool(connection, 'run');
    const start = performance.now();
    const calls = await Promise.allSettled([1, 2, 3].map(() => connection.callTool(run, {}, options)));
    expect(performance.now() - start).toBeLessThan(10_000);
    for (const call of calls) expect(call).toMatchObject({ status: 'rejected', reason: { kind: 'closed', message: 'The process ended with exit code 42.' } });
    expect(told.stderr).toContain('last words');
    expect(told.closed).toEqual([{ reason: 'The process ended with exit code 42.', wanted: false }]);
    await expect(connection.callTool(run, {}, options)).rejects.toMatchObject({ kind: 'closed' });
  });

  it('M-22: after half a line, leaves nobody waiting', async () => {
    const { connection } = await connectTo(
      scripted(`${TOOLS} on['tools/call'] = ({ id }) => { process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"resu', () => process.exit(1)); };`),
    );
    await expect(connection.callTool(await tool(connection, 'run'), {}, options)).rejects.toMatchObject({
      kind: 'closed',
      message: 'The process ended with exit code 1.',
    });
  });

  it('M-23: takes what it started with it', async () => {
    const source = `${TOOLS} const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']); console.error(child.pid); on['tools/call'] = () => process.exit(0);`;
    const { connection, told } = await connectTo(scripted(source));
    await expect(connection.callTool(await tool(connection, 'run'), {}, options)).rejects.toMatchObject({ kind: 'closed' });
    await eventually(() => expect(isRunning(Number(told.stderr[0]))).toBe(false));
  });
});

describe('what a process writes', () => {
  it('M-22: that is no message is ignored, with one warning', async () => {
    const { connection, told } = await connectTo(
      scripted(
        `${TOOLS} on['tools/call'] = ({ id }) => { for (const noise of ['Starting…', '<b>', '{"half":', '[1]', '42', '\\x1b[31mred']) process.stdout.write(noise + '\\n'); reply(id, { content: [] }); };`,
      ),
    );
    expect(await connection.callTool(await tool(connection, 'run'), {}, options)).toEqual({ content: [], isError: false });
    expect(told.stderr).toEqual([
      'The server wrote something to its standard output that is no message. It is ignored, as is anything else of the kind: Starting…',
    ]);
  });

  it('M-22, M-26: in a line of 10 MB is refused, without much memory, and the connection goes on', async () => {
    const source = `${TOOLS} on['tools/call'] = ({ id, params }) => {
      if (params.arguments.huge) process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[{"type":"text","text":"' + 'x'.repeat(10 * 1024 * 1024) + '"}]}}\\n');
      else reply(id, { content: [{ type: 'text', text: 'y'.repeat(${MEGABYTE}) }] }); };`;
    const { connection } = await connectTo(scripted(source));
    const run = await tool(connection, 'run');
    await connection.callTool(run, {}, options);
    // What arrives is nothing but buffers until a line is complete.
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 2);
    await expect(connection.callTool(run, { huge: true }, options)).rejects.toMatchObject({
      kind: 'protocol',
      message: 'The server sent a message of 10 MB; Gnomon reads no more than 8 MB.',
    });
    clearInterval(watch);
    expect(most).toBeLessThan(3 * 8 * MEGABYTE);
    expect(await connection.callTool(run, {}, options)).toMatchObject({ content: [{ type: 'text', text: expect.stringMatching(/^y+$/) as string }] });
  });

  it('to its standard error is passed on by line, and not all of it if it is too much', async () => {
    const { connection, told } = await connectTo(
      scripted(
        `${TOOLS} on['tools/call'] = ({ id }) => { process.stderr.write(('e'.repeat(6000) + '\\n').repeat(5000) + 'why\\n', () => reply(id, { content: [] })); };`,
      ),
      { deps: { limits: { linesPerSecond: 10 } } },
    );
    await connection.callTool(await tool(connection, 'run'), {}, options);
    await connection.close();
    expect(told.stderr.length).toBeLessThan(100);
    expect(told.stderr[0]).toMatch(/^e{4000}… \[2000 more characters in this line\]$/);
    expect(told.stderr).toContainEqual(expect.stringMatching(/^\[\d+ more lines were left out\.\]$/));
    expect(told.stderr.at(-1)).toBe('why');
  });
});

describe('closing a process', () => {
  it.each([
    ['that ends when its input does', ''],
    ['that ignores the end of its input', `setInterval(() => {}, 1000);`],
    [
      'that ignores SIGTERM, with a child that does so, too',
      `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); const child = require('node:child_process').spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("ready")']); child.stdout.once('data', () => console.error(child.pid));`,
    ],
  ])('M-23: leaves nothing of one %s after 3 seconds', async (_, source) => {
    const { connection, told } = await connectTo(scripted(`console.error(process.pid); ${source}`));
    const expected = source.includes('spawn') ? 2 : 1;
    await eventually(() => expect(told.stderr).toHaveLength(expected));
    const start = performance.now();
    await connection.close();
    expect(performance.now() - start).toBeLessThan(3_000 + BUSY_MS);
    expect(told.stderr.map(Number).filter(isRunning)).toEqual([]);
    expect(told.closed).toEqual([{ reason: 'Gnomon closed the connection.', wanted: true }]);
    await connection.close();
    expect(told.closed).toHaveLength(1);
  });

  it('M-23: happens even if this process is killed', async () => {
    const folder = temporaryFolder();
    const outfile = join(folder, 'host.mjs');
    const contents = `import { isBasic } from '../../../../src/domain/mcp/environment.js';
import { startServerProcess } from './src/node/process/server-process.ts';
      await startServerProcess({ command: process.execPath, args: ['-e', 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)'], env: {}, cwd: '/' }, { stdout: (bytes) => process.stdout.write(bytes), stderr: () => {}, ended: () => {} });`;
    await build({ stdin: { contents, resolveDir: process.cwd(), loader: 'ts' }, outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error' });
    const host = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    host.stdout.on('data', (chunk) => (output += String(chunk)));
    await eventually(() => expect(output).toMatch(/^\d+\n/));
    host.kill('SIGKILL');
    await eventually(() => expect(isRunning(Number(output))).toBe(false));
  });
});

describe('starting a process', () => {
  it('M-37: hands on the few variables that it needs, and those of its configuration', async () => {
    process.env['ANTHROPIC_API_KEY'] = 'sk-canary';
    const { told } = await connectTo({ ...scripted(`console.error(JSON.stringify(process.env));`), env: { TOKEN: 'mine' } });
    await eventually(() => expect(told.stderr).toHaveLength(1));
    delete process.env['ANTHROPIC_API_KEY'];
    const env = JSON.parse(told.stderr[0] ?? '') as Record<string, string>;
    expect(env).toMatchObject({ TOKEN: 'mine', PATH: process.env['PATH'] });
    expect(Object.keys(env).filter((name) => !isBasic(name, process.platform))).toEqual(['TOKEN', 'GNOMON_COMMAND']);
  });

  it('M-36: uses no shell', async () => {
    const folder = temporaryFolder();
    const written: Uint8Array[] = [];
    const arg = `$(touch ${join(folder, 'x')}); \`id\` "quoted" && echo`;
    const ended = new Promise((resolve) => {
      void startServerProcess(
        { command: process.execPath, args: ['-p', 'process.argv[1]', arg], env: {}, cwd: folder },
        { stdout: (bytes) => void written.push(bytes), stderr: () => undefined, ended: resolve },
      );
    });
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(Buffer.concat(written).toString()).toBe(`${arg}\n`);
    expect(execFileSync('ls', [folder]).toString()).toBe('');
  });
});
