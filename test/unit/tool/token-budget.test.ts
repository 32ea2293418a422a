import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { systemPrompt } from '../../../src/engine/system-prompt.js';
import { allTools } from '../../support/all-tools.js';

/** The prompt of every session and the specs of all tools, as they are sent with each request. */
const BUDGET = 2_500;
/** Of these, the specs: the rest is for the prompt. */
const SPECS = 1_540;

describe('what every request costs before a word is said', () => {
  test('system prompt and all built-in tool specs take at most 2,500 tokens', () => {
    const specs = allTools().map(({ spec: { name, description, parameters } }) => ({ name, description, input_schema: parameters }));
    const inSpecs = encode(JSON.stringify(specs)).length;
    const tokens = encode(systemPrompt('Platform: linux\nWorkspace folders: sample: /home/person/sample')).length + inSpecs;
    expect(inSpecs).toBeLessThanOrEqual(SPECS);
    expect(tokens).toBeLessThanOrEqual(BUDGET);
    expect(specs.map(({ name }) => name).sort()).toEqual(
      ['ask', 'bash', 'diagnostics', 'edit', 'fetch', 'glob', 'grep', 'jobs', 'list', 'read', 'symbols', 'todo', 'web_search', 'write'].sort(),
    );
  });
});
