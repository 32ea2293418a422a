import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AbortError } from '../../../../src/domain/errors.js';
import { McpError, type McpErrorKind, type McpProgress } from '../../../../src/domain/mcp/connection.js';
import type { McpCallResult } from '../../../../src/domain/mcp/feature.js';
import { contextOf, gives, info, onlyTool, run, serverOf, textOf } from './rig.js';

describe('a call', () => {
  test('goes to the server with the tool as it was listed, the limit of the configuration, and can be stopped', async () => {
    const server = serverOf([info('t')], { timeoutMs: 1_234 });
    await run(onlyTool(server), { text: 'hi' });
    expect(server.received).toMatchObject([{ tool: 't', args: { text: 'hi' }, options: { hardMs: 1_234 } }]);
  });

  test('keeps its plan, whatever is done with the arguments', async () => {
    const server = serverOf([info('t')], { call: (_tool, args) => (Object.assign(args, { text: 'changed' }), Promise.resolve(gives('ok'))) });
    const tool = onlyTool(server);
    const plan = await tool.plan({ text: 'hi' }, contextOf());
    await tool.execute(plan, contextOf());
    expect(plan.args).toEqual({ text: 'hi' });
  });

  test('M-10: ends at once when the user stops it, also when the server does not; a late answer is dropped', async () => {
    let answer: ((result: McpCallResult) => void) | undefined;
    const server = serverOf([info('t')], { call: () => new Promise((resolve) => (answer = resolve)) });
    const stop = new AbortController();
    const context = contextOf(stop.signal);
    const running = run(onlyTool(server), {}, context);
    await vi.waitFor(() => expect(answer).toBeDefined());
    const stopped = performance.now();
    stop.abort();
    await expect(running).rejects.toThrow(AbortError);
    expect(performance.now() - stopped).toBeLessThan(10_000);
    expect(server.received[0]?.options.signal.aborted).toBe(true);
    answer?.(gives('late'));
    server.received[0]?.options.progress?.({ progress: 1, message: 'late' });
    await Promise.resolve();
    expect(context.lines).toEqual([]);
  });

  test.each<[McpErrorKind, string]>([
    ['unreachable', 'The MCP server db cannot be reached. The tool did not run. The user can start the server again.'],
    ['unauthorized', 'The MCP server db wants the user to sign in. The tool did not run. Ask the user to sign in to it.'],
    ['timeout', 'The MCP server db did not answer in time. The tool may have done its work.'],
    ['closed', 'The MCP server db ended while the tool was running. It may have done its work.'],
    ['answered', 'The MCP server db answered with an error.'],
    ['protocol', 'The MCP server db sent an answer that cannot be used. The tool may have done its work.'],
    ['refused', 'Gnomon did not do what the MCP server db asked for. The tool may have done a part of its work.'],
  ])('conf-13: that fails (%s) is a result that says what this means', async (kind, words) => {
    const result = await run(onlyTool(serverOf([info('t')], { call: () => Promise.reject(new McpError(kind, 'Genaueres\u001b[31m')) })), {});
    expect(result.isError).toBe(true);
    expect(textOf(result)).toBe(`${words}\nDetails: Genaueres`);
  });

  test('that fails for a reason of our own is not hidden', async () => {
    await expect(run(onlyTool(serverOf([info('t')], { call: () => Promise.reject(new TypeError('broken')) })), {})).rejects.toThrow('broken');
  });
});

describe('M-09: the progress of a call', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  /** The lines that a call writes while its server reports. */
  async function linesOf(report: (progress: (progress: McpProgress) => void) => Promise<void>): Promise<readonly string[]> {
    const context = contextOf();
    const server = serverOf([info('t')], {
      call: async (_tool, _args, { progress }) => {
        await report(progress ?? ((): void => undefined));
        return gives('ok');
      },
    });
    await run(onlyTool(server), {}, context);
    return context.lines;
  }

  test('is a line of percentage and text', async () => {
    const steps: readonly McpProgress[] = [
      { progress: 1, total: 4, message: 'reading\u001b[31m\nrows' },
      { progress: 7 },
      { progress: 9, total: 4 },
      { progress: 1, total: 0 },
    ];
    const lines = await linesOf(async (progress) => {
      for (const step of steps) {
        progress(step);
        await vi.advanceTimersByTimeAsync(300);
      }
    });
    expect(lines).toEqual(['25% reading rows\n', '7\n', '100%\n', '1\n']);
  });

  test('is no flood: four lines a second, and the newest one always comes', async () => {
    const lines = await linesOf(async (progress) => {
      for (let step = 1; step <= 1_000; step += 1) {
        progress({ progress: step, total: 1_000, message: `step ${step}` });
        await vi.advanceTimersByTimeAsync(1);
      }
      await vi.advanceTimersByTimeAsync(1_000);
    });
    expect(lines.length).toBeLessThanOrEqual(6);
    expect(lines.at(-1)).toBe('100% step 1000\n');
  });

  test('ends after 400 lines, and leaves no timer behind', async () => {
    const lines = await linesOf(async (progress) => {
      for (let step = 1; step <= 1_000; step += 1) {
        progress({ progress: step });
        await vi.advanceTimersByTimeAsync(300);
      }
      progress({ progress: -1 });
    });
    expect(lines).toHaveLength(400);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('what models are told of a tool', () => {
  const descriptionOf = (over: Parameters<typeof info>[1]): string => onlyTool(serverOf([info('t', over)])).spec.description;

  test('says whose it is, shows what is hidden, and is cut', () => {
    expect(descriptionOf({ description: 'Reads.\r\nFast. \u202e\u{e0041}\u001b[31m' })).toBe(
      'Reads.\nFast. \\u{202e}\\u{e0041}\\u{1b}[31m\n(A tool of the MCP server db.)',
    );
    expect(descriptionOf({ description: 'x'.repeat(10_000) })).toBe(`${'x'.repeat(2_000)}…\n(A tool of the MCP server db.)`);
    expect(descriptionOf({ description: ' ', title: 'Query' })).toBe('Query\n(A tool of the MCP server db.)');
    expect(descriptionOf({ description: '' })).toBe('(A tool of the MCP server db.)');
  });
});
