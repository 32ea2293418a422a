import type { ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { StreamReply, Step } from './reply.js';
import { sseFrame } from './sse.js';
import type { WireEvent, WireRequest } from './wire.js';

let messages = 0;

/** Sends a reply as an event stream, or as one document when the request did not ask for a stream. */
export async function sendMessage(reply: StreamReply, request: WireRequest, response: ServerResponse): Promise<void> {
  const { parts } = reply;
  messages += 1;
  const id = `msg_test_${messages}`;
  if (request.stream !== true) {
    sendDocument(reply, id, request, response);
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': `req_test_${messages}`,
    ...parts.headers,
  });
  const steps = framed(reply, id, request.model);
  if (parts.chunkSizes.length > 0) await sendChunks(reply, steps, response);
  else await sendSteps(reply, steps, response);
  if (!response.destroyed) response.end();
}

function framed(reply: StreamReply, id: string, model: string): readonly Step[] {
  const { parts } = reply;
  const usage = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1, ...parts.startUsage };
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage };
  const start: Step = { kind: 'event', event: { type: 'message_start', message } };
  return [start, ...parts.steps, ...(parts.finished ? endOf(reply).map((event): Step => ({ kind: 'event', event })) : [])];
}

function endOf(reply: StreamReply): readonly WireEvent[] {
  const delta = { stop_reason: stopReason(reply), stop_sequence: null, ...reply.parts.stopDetails };
  return [{ type: 'message_delta', delta, usage: { output_tokens: 20, ...reply.parts.endUsage } }, { type: 'message_stop' }];
}

function stopReason({ parts }: StreamReply): string {
  const calls = parts.blocks.some((block) => block.type === 'tool_use');
  return parts.stopReason ?? (calls ? 'tool_use' : 'end_turn');
}

async function sendSteps(reply: StreamReply, steps: readonly Step[], response: ServerResponse): Promise<void> {
  const gone = new Promise<void>((resolve) => response.once('close', resolve));
  // A handler finds the first bytes with the headers already there, as with the real API.
  response.flushHeaders();
  if (reply.parts.style.bom === true) response.write('\uFEFF');
  for (const step of steps) {
    await sendStep(reply, step, response, gone);
    if (response.destroyed) return;
  }
}

async function sendStep(reply: StreamReply, step: Step, response: ServerResponse, gone: Promise<void>): Promise<void> {
  switch (step.kind) {
    case 'event':
      return write(response, sseFrame(step.event, reply.parts.style), gone);
    case 'raw':
      return write(response, step.text, gone);
    case 'bytes':
      for (const piece of step.pieces) await write(response, piece, gone);
      return;
    case 'gate':
      return Promise.race([step.gate.pass(), gone]);
    case 'delay':
      return Promise.race([delay(step.ms), gone]);
    case 'cut':
      // What was written before must arrive, so that the cut is where the script says.
      await new Promise<void>((resolve) => {
        response.write('', () => setImmediate(resolve));
      });
      response.socket?.destroy();
      return gone;
  }
}

async function write(response: ServerResponse, data: string | Uint8Array, gone: Promise<void>): Promise<void> {
  if (response.destroyed || response.write(data)) return;
  let onDrain = (): void => undefined;
  const drained = new Promise<void>((resolve) => {
    onDrain = resolve;
    response.once('drain', onDrain);
  });
  await Promise.race([drained, gone]);
  response.off('drain', onDrain);
}

async function sendChunks(reply: StreamReply, steps: readonly Step[], response: ServerResponse): Promise<void> {
  const { parts } = reply;
  const text = steps.map((step) => (step.kind === 'event' ? sseFrame(step.event, parts.style) : step.kind === 'raw' ? step.text : ''));
  const bytes = Buffer.from((parts.style.bom === true ? '\uFEFF' : '') + text.join(''));
  const gone = new Promise<void>((resolve) => response.once('close', resolve));
  let at = 0;
  for (let n = 0; at < bytes.length && !response.destroyed; n += 1) {
    const size = parts.chunkSizes[Math.min(n, parts.chunkSizes.length - 1)] ?? bytes.length;
    await write(response, bytes.subarray(at, at + size), gone);
    at += size;
    // A client in this process reads the piece before the next one is written.
    await turn();
    await turn();
  }
}

function sendDocument(reply: StreamReply, id: string, request: WireRequest, response: ServerResponse): void {
  const { parts } = reply;
  const usage = { input_tokens: 10, output_tokens: 20, ...parts.startUsage, ...parts.endUsage };
  const message = { id, type: 'message', role: 'assistant', model: request.model, content: parts.blocks, stop_sequence: null };
  response.writeHead(200, { 'content-type': 'application/json', ...parts.headers });
  response.end(JSON.stringify({ ...message, stop_reason: stopReason(reply), ...parts.stopDetails, usage }));
}
