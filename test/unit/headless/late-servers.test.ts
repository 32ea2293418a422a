import { describe, expect, it } from 'vitest';
import { programWithModelHere } from '../../support/entries/program-here.js';
import { EXIT } from '../../../src/headless/exit.js';
import { lateServer } from '../../support/mcp/late-server.js';
import { type RecordedRequest, gate, lastToolResults, reply } from '../../support/model-server/index.js';

const program = programWithModelHere();

/** What is on the command line of a run with a server. */
const configured = (config: object): readonly string[] => [
  ...['--mcp-config', JSON.stringify({ mcpServers: { late: config } })],
  ...['--allowedTools', 'mcp__late__add'],
];
const hasTool = ({ body }: RecordedRequest): boolean => body.tools?.some(({ name }) => name === 'mcp__late__add') === true;
const WAITING = 'Waiting for MCP servers that have not answered yet, up to 30 s: “late”';

/** The first run of a worker loads the program before it waits. */
const LOADED = { timeout: 50_000 };

describe.skipIf(process.platform === 'win32')('an MCP server that takes long to start', () => {
  it('is waited for before the first request, which is told of, and its tools are there', async () => {
    const late = lateServer();
    program.calls('mcp__late__add', { a: 1, b: 2 });
    const run = program.start(['-p', 'Add', ...configured(late.config)], { input: '' });
    await expect.poll(() => run.errors, LOADED).toContain(WAITING);
    expect(program.server.requests).toEqual([]);
    late.start();
    expect(await run.end).toMatchObject({ code: EXIT.done, output: 'Done.\n' });
    expect(program.results).toEqual([expect.stringMatching(/\n3\n/)]);
  });

  it('is not waited for by a run that is stopped meanwhile', async () => {
    const run = program.start(['-p', 'Add', ...configured(lateServer().config)], { input: '' });
    await expect.poll(() => run.errors, LOADED).toContain(WAITING);
    run.interrupt();
    expect(await run.end).toMatchObject({ code: EXIT.interrupted });
    expect(program.server.requests).toEqual([]);
  });

  it('is not waited for longer than MCP_TIMEOUT says, and is there for a later request of the same turn', async () => {
    const [late, answer] = [lateServer(), gate()];
    program.server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().hold(answer).toolCall('list', {}) : reply().text('Done.')));
    const lines = ['--output-format', 'stream-json', '--input-format', 'stream-json'];
    const run = program.start([...lines, ...configured(late.config)], { env: { MCP_TIMEOUT: '1' } });
    run.send({ type: 'user', message: { role: 'user', content: 'Look around' } });
    expect(hasTool(await program.server.request(0))).toBe(false);
    late.start();
    let asked = 0;
    await expect
      .poll(async () => {
        const id = `status-${(asked += 1)}`;
        run.send({ type: 'control_request', request_id: id, request: { subtype: 'mcp_status' } });
        return JSON.stringify(await run.answerTo(id));
      })
      .toContain('"status":"connected"');
    answer.open();
    expect(hasTool(await program.server.request(1))).toBe(true);
    run.process.stdin.end();
    expect(await run.end).toMatchObject({ code: EXIT.done });
  });
});
