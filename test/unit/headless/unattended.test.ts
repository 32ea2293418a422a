import { expect, it } from 'vitest';
import { denialForModel, denialWords } from '../../../src/domain/tool/denial.js';
import type { Gate, GateRequest } from '../../../src/domain/tool/permission.js';
import { withoutPrompts } from '../../../src/headless/unattended.js';

it('a denial of a call that names a thousand files says the first of them, and how many more there are, to the model and to the user', async () => {
  const reasons = Array.from({ length: 1_000 }, (_, index) => `/${'long/'.repeat(200)}${index} is outside of the workspace.`);
  const gate: Gate = { judge: () => Promise.resolve({ type: 'ask', reasons }), remember: () => Promise.resolve(), update: () => Promise.resolve() };
  const judgment = await withoutPrompts(gate).judge({} as GateRequest, new AbortController().signal);
  if (judgment.type !== 'deny') throw new Error(`It is no denial but: ${judgment.type}`);
  for (const words of [denialForModel(judgment.denial), denialWords(judgment.denial)]) {
    expect(words).toContain('/long/long/');
    expect(words).toMatch(/There are 995 more reasons\.$/);
    expect(words.length).toBeLessThan(2_000);
  }
});
