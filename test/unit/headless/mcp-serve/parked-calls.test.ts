import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { type CallContext, CallRequests } from '../../../../src/headless/mcp-serve/call-requests.js';
import type { Client } from '../../../../src/headless/mcp-serve/client.js';
import { OpenCall } from '../../../../src/headless/mcp-serve/open-call.js';
import { eventually } from '../../../support/eventually.js';
import { ok, rig, testTool } from '../../engine/rig.js';

const CLIENT: Client = { era: 'modern', words: 'A program', canAsk: true };
const ALLOWED = { permission: { action: 'accept', content: { decision: 'Allow once' } } };

/** What a request of a client brings beside its arguments. */
function request(state?: string, inputResponses?: Record<string, unknown>, signal = new AbortController().signal): CallContext {
  const never = (): Promise<never> => Promise.reject(new Error('Nothing is sent to the client.'));
  return { mcpReq: { signal, send: never, notify: never, requestState: () => state, ...(inputResponses === undefined ? {} : { inputResponses }) } };
}

/** Requests for the calls of a real session, whose questions are asked in rounds. @param patienceMs how long a question is kept while others wait */
function desk(patienceMs?: number): { readonly requests: CallRequests; readonly ran: string[]; readonly open: Map<string, OpenCall> } {
  const ran: string[] = [];
  const run = testTool('run', { kind: 'execute', execute: (args) => (ran.push(JSON.stringify(args)), ok('done')) });
  const { session } = rig({ tools: [run] });
  const open = new Map<string, OpenCall>();
  session.asks.onDidChange(() => {
    for (const [id, call] of open)
      call.asked(session.asks.waiting.find((ask) => ask.kind === 'permission' && ask.callId === id) as Parameters<OpenCall['asked']>[0]);
  });
  const requests = new CallRequests(
    {
      has: (name) => name === 'run',
      begin: ({ tool, args }) => {
        const call = new OpenCall();
        open.set(call.id, call);
        const block = { type: 'tool_call', id: call.id, name: tool, arguments: args } as const;
        void session.call({ block, words: tool, signal: call.signal }).then((result) => {
          open.delete(call.id);
          call.end(result);
        });
        return call;
      },
      answer: ({ id }, revision, answer) => void session.answer(id, answer, revision),
      hasOthers: ({ id }) => [...open.keys()].some((each) => each !== id),
    },
    patienceMs,
  );
  return { requests, ran, open };
}

const stateIn = (result: CallToolResult | InputRequiredResult): string =>
  String('requestState' in result ? result.requestState : expect.unreachable('It asks nothing.'));
const params = (on: string): { name: string; arguments: { on: string } } => ({ name: 'run', arguments: { on } });

describe('a call whose question its client has', () => {
  it('goes on with the answer to it, once', async () => {
    const { requests, ran } = desk();
    const state = stateIn(await requests.answer(params('a'), CLIENT, request()));
    expect(await requests.answer(params('a'), CLIENT, request(state, ALLOWED))).toEqual({ content: [{ type: 'text', text: 'done' }] });
    await expect(requests.answer(params('a'), CLIENT, request(state, ALLOWED))).rejects.toThrow('belongs to no call');
    expect(ran).toEqual(['{"on":"a"}']);
  });

  it.each([
    ['another call', params('b')],
    ['a call without arguments', { name: 'run' }],
    ['another tool', { name: 'other', arguments: { on: 'a' } }],
  ])('is denied when the answer comes with %s', async (_, other) => {
    const { requests, ran, open } = desk();
    const state = stateIn(await requests.answer(params('a'), CLIENT, request()));
    await expect(requests.answer(other, CLIENT, request(state, ALLOWED))).rejects.toThrow('denied');
    await eventually(() => expect(open.size).toBe(0));
    await expect(requests.answer(params('a'), CLIENT, request(state, ALLOWED))).rejects.toThrow('belongs to no call');
    expect(ran).toEqual([]);
  });

  it.each([
    ['nothing', undefined],
    ['an answer to something else', { other: ALLOWED.permission }],
    ['an answer that is wrapped', { permission: { result: ALLOWED.permission } }],
  ])('is denied when %s comes', async (_, responses) => {
    const { requests, ran } = desk();
    const state = stateIn(await requests.answer(params('a'), CLIENT, request()));
    expect(await requests.answer(params('a'), CLIENT, request(state, responses))).toMatchObject({ isError: true });
    expect(ran).toEqual([]);
  });

  it('waits for as long as it takes, but not when the client has forgotten it and others wait', async () => {
    const { requests, ran, open } = desk(20);
    const first = stateIn(await requests.answer(params('a'), CLIENT, request()));
    // The other one is asked about when the first is denied.
    const second = stateIn(await requests.answer(params('b'), CLIENT, request()));
    await expect(requests.answer(params('a'), CLIENT, request(first, ALLOWED))).rejects.toThrow('belongs to no call');
    expect(open.size).toBe(1);
    expect(await requests.answer(params('b'), CLIENT, request(second, ALLOWED))).toMatchObject({ content: [{ text: 'done' }] });
    expect(ran).toEqual(['{"on":"b"}']);
  });

  it('is stopped with a request of it that is cancelled', async () => {
    const { requests, open } = desk();
    const stop = new AbortController();
    stateIn(await requests.answer(params('a'), CLIENT, request()));
    const waiting = requests.answer(params('b'), CLIENT, request(undefined, undefined, stop.signal));
    stop.abort();
    expect(await waiting).toMatchObject({ isError: true });
    expect(open.size).toBe(1);
  });
});
