import { type PresetId, PRESET_IDS } from '../../../../src/provider/openai/models/presets.js';
import { type Act, type Delta, type Harness, describeStreamConformance } from '../../../support/stream-conformance.js';
import { type Reply, type Shape, type Step, SHAPES, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { providerFor, request } from './rig.js';

for (const id of PRESET_IDS) {
  describeStreamConformance(`chat completions of ${id} over HTTP`, async (): Promise<Harness> => {
    const server = await startOpenAiServer();
    const provider = providerFor(server, id);
    const expected = (): number => Math.max(0, server.requests.length - 1);
    let next = 0;
    return {
      play: (...acts) => {
        next = server.requests.length;
        server.setScript(() => replyOf(id, acts));
      },
      stream: (signal) => provider.stream(request(), signal),
      requests: () => server.requests.length,
      requested: async () => {
        await server.request(next);
      },
      disconnected: async () => (await server.request(expected())).closedByClient,
      close: () => server.close(),
    };
  });
}

function replyOf(id: PresetId, acts: readonly Act[]): Reply {
  const shape = SHAPES[id]();
  const steps: Step[] = [];
  for (const act of acts) {
    switch (act.kind) {
      case 'silence':
        return { kind: 'hang' };
      case 'cut':
        return sse(...steps, 'cut');
      case 'text':
        steps.push(...act.deltas.flatMap((delta) => (typeof delta === 'string' ? shape.text(delta) : [delta])));
        break;
      case 'calls':
        steps.push(...callSteps(shape, act.calls));
        break;
    }
  }
  return sse(...steps, ...shape.end(acts.some((act) => act.kind === 'calls')));
}

/** The calls are announced in order, then their pieces take turns. */
function callSteps(shape: Shape, calls: readonly { id: string; name: string; deltas: readonly Delta[] }[]): readonly Step[] {
  const announced = calls.map(({ id, name }, place) => ({ id, name, place }));
  const steps = announced.flatMap((call) => shape.call(call, '', true));
  const queues = calls.map(({ deltas }) => [...deltas]);
  while (queues.some((queue) => queue.length > 0)) {
    queues.forEach((queue, place) => {
      const delta = queue.shift();
      const call = announced[place];
      if (delta === undefined || call === undefined) return;
      steps.push(...(typeof delta === 'string' ? shape.call(call, delta, false) : [delta]));
    });
  }
  return steps;
}
