import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { offeredTo, promptFor } from '../../../src/engine/model-advice.js';
import { systemPrompt } from '../../../src/engine/system-prompt.js';
import { allTools } from '../../support/all-tools.js';
import { TEST_MODEL } from '../../support/scripted-provider/index.js';

/** The prompt of every session and the specs of all tools, as they are sent with each request. */
const BUDGET = 2_500;
/** Of these, the specs: the rest is for the prompt. */
const SPECS = 1_540;

describe('what every request costs before a word is said', () => {
  test.each(['claude-opus-5', 'gpt-5.1', 'gemini-2.5-pro', 'qwen3-coder', 'model-1'])(
    'system prompt and all tool specs that %s is offered take at most 2,500 tokens',
    (id) => {
      const model = { ...TEST_MODEL, id };
      const specs = offeredTo(allTools(), model).map(({ spec: { name, description, parameters } }) => ({ name, description, input_schema: parameters }));
      const inSpecs = encode(JSON.stringify(specs)).length;
      const tokens = encode(promptFor(systemPrompt('Platform: linux\nWorkspace folders: sample: /home/person/sample'), model)).length + inSpecs;
      expect(inSpecs).toBeLessThanOrEqual(SPECS);
      expect(tokens).toBeLessThanOrEqual(BUDGET);
      expect(specs.map(({ name }) => name).sort()).toEqual(
        [
          'ask',
          'bash',
          'diagnostics',
          id === 'gpt-5.1' ? 'apply_patch' : 'edit',
          'fetch',
          'glob',
          'grep',
          'jobs',
          'list',
          'read',
          'symbols',
          'todo',
          'web_search',
          'write',
        ].sort(),
      );
    },
  );
});
