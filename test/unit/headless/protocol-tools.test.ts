import { describe, expect, it } from 'vitest';
import type { Run } from '../../support/headless-program.js';
import { drivenHere, ended, type Message, request, results, serveSums, user } from '../../support/protocol-rig.js';

const driven = drivenHere();

/** Starts the program with the server within the test. @param others how many other tools that has */
async function withSums(
  options: readonly string[],
  { others = 0, hooks = {} }: { readonly others?: number; readonly hooks?: object } = {},
): Promise<{ readonly program: Run; readonly calls: readonly Message[] }> {
  // SDKs name the servers within them on the command line, too.
  const named = JSON.stringify({ mcpServers: { sums: { type: 'sdk', name: 'sums' } } });
  const program = driven.drive('--permission-mode', 'default', '--mcp-config', named, '--strict-mcp-config', ...options);
  program.send(request('1', { subtype: 'initialize', sdkMcpServers: ['sums'], hooks }));
  await program.answerTo('1');
  return { program, calls: serveSums(program, others) };
}

describe('tools of a server within the program that drives Gnomon', () => {
  it('are called by the model', async () => {
    driven.calls('mcp__sums__add', { a: 1, b: 2 });
    const { program } = await withSums(['--allowedTools', 'mcp__sums__add']);
    program.send(user('Add 1 and 2'));
    expect(await results(program)).toMatchObject([{ subtype: 'success', result: 'Done.' }]);
    await ended(program);
    expect(driven.server.requests[1]?.raw).toContain('the sum is 3');
  });

  describe('that the model finds by a search', () => {
    /** More than requests tell of without a search. */
    const others = 60;
    const CALL = { name: 'mcp__sums__add', arguments: { a: 1, b: 2 } };

    it('are asked about as they would run: as the model calls them, and as the program has changed the call', async () => {
      driven.calls('call_tool', CALL);
      const { program, calls } = await withSums(['--permission-prompt-tool', 'stdio'], { others });
      program.send(user('Add 1 and 2'));
      const first = await program.asked('can_use_tool');
      expect(first.body).toMatchObject({ tool_name: 'mcp__sums__add', input: { a: 1, b: 2 } });
      program.respond(first.id, { behavior: 'allow', updatedInput: { a: 1, b: 5 } });
      expect(await results(program)).toMatchObject([{ subtype: 'success', permission_denials: [] }]);
      await ended(program);
      expect(calls).toMatchObject([{ name: 'add', arguments: { a: 1, b: 5 } }]);
    });

    it('are asked about as a hook has changed the call, which the program can change further', async () => {
      driven.calls('call_tool', CALL);
      const hooks = { PreToolUse: [{ matcher: 'mcp__sums__add', hookCallbackIds: ['change'] }] };
      const { program, calls } = await withSums(['--permission-prompt-tool', 'stdio'], { others, hooks });
      program.send(user('Add 1 and 2'));
      const hook = await program.asked('hook_callback');
      program.respond(hook.id, { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { a: 3, b: 4 } } });
      const { id, body } = await program.asked('can_use_tool');
      expect(body).toMatchObject({ tool_name: 'mcp__sums__add', input: { a: 3, b: 4 } });
      program.respond(id, { behavior: 'allow', updatedInput: { a: 3, b: 9 } });
      program.respond((await program.asked('hook_callback', 1)).id, {});
      await results(program);
      await ended(program);
      expect(calls).toMatchObject([{ name: 'add', arguments: { a: 3, b: 9 } }]);
    });
  });
});
