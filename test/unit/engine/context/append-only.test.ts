import type { AgentSession } from '../../../../src/engine/agent-session.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { type Script, answers, calls, says, stops, TEST_MODEL, thinks } from '../../../support/scripted-provider/index.js';
import { ok, rig, testTool } from '../rig.js';
import { isSummaryRequest } from './long-talk.js';
import { runs } from '../../../support/runs.js';

/** Whether a request begins with all of the one before: what a provider's prompt cache needs. */
function extend(before: Request, after: Request): void {
  expect([after.systemPrompt, after.tools]).toEqual([before.systemPrompt, before.tools]);
  expect(JSON.stringify(after.messages.slice(0, before.messages.length))).toBe(JSON.stringify(before.messages));
}

/** Whether a request is one before it without a run of its messages: a refused one that is tried without what may be the cause. */
function isWithoutSome(before: Request, after: Request): boolean {
  // Work that was left out is told of.
  const [whole, part] = [before, after].map(({ messages }) =>
    messages.map((message) => JSON.stringify(message)).filter((json) => !json.includes('left out here')),
  ) as [string[], string[]];
  const missing = whole.length - part.length;
  const from = part.findIndex((message, index) => message !== whole[index]);
  return missing > 0 && from !== -1 && part.slice(from).every((message, index) => message === whole[from + missing + index]);
}

let id = 0;
const round: fc.Arbitrary<Script> = fc
  .oneof(
    fc
      .constantFrom(1, 2, 3)
      .map((count) => (): Script => [
        ...thinks(0, 'hm'),
        ...Array.from({ length: count }, (_, index) => calls(index + 1, `c${(id += 1)}`, { name: 'read', args: { on: 'x' } })).flat(),
        ...stops('tool_use'),
      ]),
    fc.constant((): Script => [...calls(0, 'same id', { name: 'no such tool', args: '{"cut' }), ...stops('tool_use')]),
  )
  .map((make) => () => make() as readonly never[]);
const REFUSED: Script = [new ProviderError('invalid_request', 'Refused.')];
const BROKEN: Script = [...says(0, 'Half'), new ProviderError('invalid_request', 'Broken.')];
const end: fc.Arbitrary<Script> = fc.constantFrom<Script>(answers('Done.'), BROKEN, REFUSED, [...says(0, 'Long'), ...stops('length')]);
const turns = fc.array(fc.tuple(fc.array(round, { maxLength: 3 }), end), { minLength: 2, maxLength: 5 });
const results = fc.constantFrom('short', 'x'.repeat(150_000), 'half \ud83d');

/** Summarizes, unless there is too little to summarize. */
async function compacted(session: AgentSession): Promise<void> {
  await Promise.resolve()
    .then(() => session.compact())
    .catch((error: unknown) => expect(String(error)).toContain('Nothing to compact yet.'));
}

test('from request to request the wire only grows, but for a summary, an undone one, and another model', async () => {
  await fc.assert(
    fc.asyncProperty(
      turns,
      results,
      fc.array(fc.constantFrom('nothing', 'compact', 'undo', 'model'), { minLength: 5, maxLength: 5 }),
      async (talk, words, resets) => {
        const { session, provider } = rig({ tools: [testTool('read', { execute: () => ok(words) })] });
        const untraced = new Set<Request>();
        for (const [index, [rounds, last]] of talk.entries()) {
          const first = provider.requests.length;
          provider.replace(...rounds, last);
          await session.send([{ type: 'text', text: `Turn ${index}` }]).turn;
          const before = provider.requests.slice(0, first).filter((request) => !untraced.has(request));
          const kept = resets[index - 1] === 'nothing' ? before.slice(-1) : [];
          const sent = [...kept, ...provider.requests.slice(first)].filter((request) => !isSummaryRequest(request));
          // A refused turn may end with such a request, which leaves no trace where it does not help either.
          const isTrial = (last === REFUSED || last === BROKEN) && sent.length > 1 && isWithoutSome(sent.at(-2) as Request, sent.at(-1) as Request);
          if (isTrial) untraced.add(sent.pop() as Request);
          sent.slice(1).forEach((request, at) => extend(sent[at] as Request, request));
          provider.replace(answers('Summary.'));
          if (resets[index] === 'compact') await compacted(session);
          if (resets[index] === 'undo') session.undoCompaction();
          if (resets[index] === 'model') session.setModel(provider, { ...TEST_MODEL, id: `model-${index + 2}` });
        }
        expect(provider.broken).toEqual([]);
      },
    ),
    { numRuns: runs(60) },
  );
});
