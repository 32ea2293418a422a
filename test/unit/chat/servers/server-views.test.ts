import { describe, expect, it } from 'vitest';
import { mcpError } from '../../../../src/mcp/client/errors.js';
import { endText } from '../../../../src/mcp/client/transport/process-transport.js';
import { reasonOf } from '../../../../src/chat/servers/server-views.js';
import { entryOf } from '../../mcp/servers/rig.js';

function problemOf(problem: string, stderr: readonly string[]): string | undefined {
  return reasonOf({ entry: entryOf('db').entry, problem, stderr });
}

describe('why a server does not run', () => {
  const ENDED = 'The process ended with exit code 1.';

  it.each([
    [
      'Node.js',
      [
        'node:internal/modules/cjs/loader:1228',
        '  throw err;',
        '  ^',
        '',
        "Error: Cannot find module '/x/server.js'",
        '    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)',
        '    at node:internal/main/run_main_module:36:49 {',
        "  code: 'MODULE_NOT_FOUND',",
        '  requireStack: []',
        '}',
        '',
        'Node.js v22.23.3',
      ],
      "Error: Cannot find module '/x/server.js'",
    ],
    [
      'Python',
      [
        'Traceback (most recent call last):',
        '  File "/x/server.py", line 1, in <module>',
        '    import missing',
        "ModuleNotFoundError: No module named 'missing'",
      ],
      "ModuleNotFoundError: No module named 'missing'",
    ],
    [
      'Rust',
      ["thread 'main' panicked at src/main.rs:2:5:", 'error: the variable TOKEN is not set', 'note: run with `RUST_BACKTRACE=1`'],
      'error: the variable TOKEN is not set',
    ],
    ['a shell', ['sh: 1: nope: not found'], 'sh: 1: nope: not found'],
    ['a plain program', ['Starting…', 'TOKEN is not set.', ''], 'TOKEN is not set.'],
  ])('is said with the line of its output that tells it: %s', (_what, stderr, line) => {
    expect(problemOf(ENDED, stderr)).toBe(`${ENDED} It said: ${line}`);
  });

  it('is said alone where there is no such line, or it is in it', () => {
    expect(problemOf(ENDED, [])).toBe(ENDED);
    expect(problemOf(ENDED, ['Node.js v22.23.3', '}'])).toBe(ENDED);
    expect(problemOf('It said no: TOKEN.', ['TOKEN.'])).toBe('It said no: TOKEN.');
    expect(problemOf(ENDED, ['x'.repeat(5_000)])?.length).toBeLessThan(400);
  });

  it('has no question mark for what is not known', async () => {
    const failure = await fetch('http://127.0.0.1:9/mcp').catch((error: unknown) => error);
    expect(mcpError(failure).message).toBe('The server could not be reached: its port is one of those that web requests may not use. Choose another one.');
    expect(mcpError(new TypeError('fetch failed')).message).toBe('The server could not be reached.');
    expect(mcpError(new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) })).message).toBe(
      'The server could not be reached (ECONNREFUSED).',
    );
    expect([endText({ code: null, signal: null }), endText({ code: 3, signal: null }), endText({ code: null, signal: 'SIGKILL' })]).toEqual([
      'The process ended.',
      'The process ended with exit code 3.',
      'The process was ended by SIGKILL.',
    ]);
  });
});
