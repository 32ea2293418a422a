import { type Reply, type Step, sse } from '../../../../support/openai-server/index.js';
import { type Output, answer, begun, called, interleaved, said, startResponsesServer } from '../../../../support/responses-server/index.js';
import { type Act, type Harness, describeStreamConformance } from '../../../../support/stream-conformance.js';
import { providerFor, request } from '../rig.js';

describeStreamConformance('Responses of OpenAI over HTTP', async (): Promise<Harness> => {
  const server = await startResponsesServer();
  const provider = providerFor(server);
  let next = 0;
  return {
    play: (...acts) => {
      next = server.requests.length;
      server.play(replyOf(acts));
    },
    stream: (signal) => provider.stream(request({ model: 'gpt-5.6-terra' }), signal),
    requests: () => server.requests.length,
    requested: async () => {
      await server.request(next);
    },
    disconnected: async () => (await server.request(Math.max(0, server.requests.length - 1))).closedByClient,
    close: () => server.close(),
  };
});

function replyOf(acts: readonly Act[]): Reply {
  const outputs: Output[] = [];
  for (const act of acts) {
    switch (act.kind) {
      case 'silence':
        return { kind: 'hang' };
      case 'cut':
        return sse(...begun(...outputs), 'cut' satisfies Step);
      case 'text':
        outputs.push(said(...act.deltas));
        break;
      case 'calls':
        outputs.push(...act.calls.map(({ id, name, deltas }) => called(id, name, ...deltas)));
        break;
    }
  }
  return acts.every(({ kind }) => kind === 'calls') ? interleaved(...outputs) : answer(...outputs);
}
