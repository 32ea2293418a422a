import { createVsCodeLmProvider } from '../../../../src/vscode/language-models/provider.js';
import { type Harness, describeStreamConformance } from '../../../support/stream-conformance.js';
import { waitFor } from '../../../vscode/wait.mjs';
import { FakeLm } from './fake-lm.js';
import { request } from './request.js';

describeStreamConformance(
  'vscode-lm over a fake of the Language Model API',
  (): Promise<Harness> => {
    const fake = new FakeLm();
    const provider = createVsCodeLmProvider(fake.api);
    let next = 0;
    return Promise.resolve({
      play: (...acts) => {
        next = fake.requests.length;
        fake.acts = acts;
      },
      stream: (signal) => provider.stream(request(), signal),
      requests: () => fake.requests.length,
      requested: async () => {
        await waitFor(() => fake.requests.length > next, { what: 'the request', timeoutMs: 5_000 });
      },
      disconnected: () => fake.requests.at(-1)?.ended ?? Promise.resolve(false),
      close: () => Promise.resolve(),
    });
  },
  'whole',
);
