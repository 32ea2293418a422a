import type { StreamPart } from '../../../../src/domain/model/event-stream.js';
import { createDemoProvider } from '../../../../src/provider/demo/provider.js';
import { type Act, type Delta, type Harness, describeStreamConformance } from '../../../support/stream-conformance.js';

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Plays acts as the script of the demo. */
class Stage {
  acts: readonly Act[] = [];
  played = 0;
  ended: Promise<boolean> = Promise.resolve(false);

  async *play(signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
    this.played += 1;
    let tell = (_byClient: boolean): void => undefined;
    this.ended = new Promise((resolve) => {
      tell = resolve;
    });
    try {
      let index = 0;
      for (const act of this.acts) {
        yield* this.act(act, index, signal);
        index += act.kind === 'calls' ? act.calls.length : 1;
      }
      const reason = this.acts.some(({ kind }) => kind === 'calls') ? 'tool_use' : 'end_turn';
      yield { type: 'stop', stopReason: reason, rawStopReason: reason };
    } finally {
      tell(signal.aborted);
    }
  }

  private async *act(act: Act, index: number, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
    switch (act.kind) {
      case 'silence':
        return aborted(signal);
      case 'cut':
        throw new Error('The script broke off.');
      case 'text':
        for await (const delta of heldBy(act.deltas, signal)) yield { type: 'text', index, delta };
        yield { type: 'block_end', index };
        return;
      case 'calls':
        yield* interleaved(act.calls, index, signal);
    }
  }
}

/** The texts of some deltas; a gate between them holds until it opens or the signal aborts. */
async function* heldBy(deltas: readonly Delta[], signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  for (const delta of deltas) {
    if (typeof delta === 'string') yield delta;
    else await Promise.race([delta.pass(), aborted(signal)]);
    if (signal.aborted) return;
  }
}

/** Calls that are open at the same time, their deltas taking turns. */
async function* interleaved(calls: Extract<Act, { kind: 'calls' }>['calls'], first: number, signal: AbortSignal): AsyncGenerator<StreamPart, void, undefined> {
  for (const [at, { id, name }] of calls.entries()) yield { type: 'tool_call_begin', index: first + at, id, name };
  const queues = calls.map(({ deltas }, at) => ({ index: first + at, texts: heldBy(deltas, signal) }));
  for (let open = queues; open.length > 0;) {
    const left: typeof queues = [];
    for (const queue of open) {
      const { value, done } = await queue.texts.next();
      if (done === true) continue;
      yield { type: 'tool_call_delta', index: queue.index, delta: value };
      left.push(queue);
    }
    open = left;
  }
  for (const at of calls.keys()) yield { type: 'block_end', index: first + at };
}

// oxlint-disable-next-line typescript/require-await -- the suite takes harnesses that have to be started
describeStreamConformance('demo', async (): Promise<Harness> => {
  const stage = new Stage();
  const provider = createDemoProvider({ script: (_request, signal) => stage.play(signal) });
  return {
    play: (...acts) => {
      stage.acts = acts;
    },
    stream: (signal) => provider.stream({ model: '', systemPrompt: '', messages: [], tools: [] }, signal),
    requests: () => stage.played,
    requested: () => Promise.resolve(),
    disconnected: () => stage.ended,
    close: () => Promise.resolve(),
  };
});
