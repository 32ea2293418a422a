import { type Act, type Harness, describeStreamConformance } from '../../../support/stream-conformance.js';
import { type Reply, hangReply, reply, startModelServer, toolBlock } from '../../../support/model-server/index.js';
import { providerFor, request } from './rig.js';

describeStreamConformance('anthropic over HTTP', async (): Promise<Harness> => {
  const server = await startModelServer();
  const provider = providerFor(server);
  const expected = (): number => Math.max(0, server.requests.length - 1);
  let next = 0;
  return {
    play: (...acts) => {
      next = server.requests.length;
      server.setScript(() => replyOf(acts));
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

function replyOf(acts: readonly Act[]): Reply {
  let so = reply();
  for (const act of acts) {
    switch (act.kind) {
      case 'silence':
        return hangReply;
      case 'cut':
        so = so.cut();
        break;
      case 'text':
        so = so.text(...act.deltas);
        break;
      case 'calls':
        so = so.interleaved(...act.calls.map(({ id, name, deltas }) => toolBlock(name, '', { id, chunks: deltas })));
        break;
    }
  }
  return so;
}
