import { describe, expect, it } from 'vitest';
import type { ModelInfo } from '../../../src/domain/model/provider.js';
import { wantedModel } from '../../../src/models/wanted-model.js';
import type { CatalogEntry } from '../../../src/models/catalog.js';
import { TEST_MODEL } from '../../support/scripted-provider/index.js';

const model = (provider: string, id: string, label: string, price?: number): ModelInfo => ({
  ...TEST_MODEL,
  provider,
  id,
  label,
  ...(price === undefined ? {} : { pricing: { input: price, output: price, cacheRead: 0, cacheWrite: 0 } }),
});
const OPUS = model('anthropic', 'claude-opus-4-8', 'Claude Opus 4.8', 15);
const OLD = model('anthropic', 'claude-sonnet-4-6', 'Claude Sonnet 4.6', 3);
const SONNET = model('anthropic', 'claude-sonnet-4-10', 'Claude Sonnet 4.10', 3);
const HAIKU = model('anthropic', 'claude-haiku-4-5', 'Claude Haiku 4.5', 1);
const ROUTED = model('openai', 'anthropic/claude-sonnet-5', 'Sonnet 5', 3);
const GPT = model('vscode-lm', 'copilot/gpt-5', 'GPT-5');
const entries = [
  { source: { id: 'openai', label: 'OpenAI' }, models: [ROUTED] },
  { source: { id: 'anthropic', label: 'Anthropic' }, models: [OPUS, OLD, SONNET, HAIKU] },
  { source: { id: 'vscode-lm', label: 'VS Code' }, models: [GPT] },
] as readonly unknown[] as readonly CatalogEntry[];
const wanted = (written: string | undefined, current: ModelInfo | undefined = OPUS): string => {
  const answer = wantedModel(written, current, entries);
  return answer.type === 'model' ? answer.key : answer.type;
};

describe('S-25: the model of an agent', () => {
  it.each([
    [undefined, 'inherit'],
    ['inherit', 'inherit'],
    ['claude-opus-4-8', 'anthropic/claude-opus-4-8'],
    ['anthropic/claude-haiku-4-5', 'anthropic/claude-haiku-4-5'],
    ['Claude Haiku 4.5', 'anthropic/claude-haiku-4-5'],
    ['sonnet', 'anthropic/claude-sonnet-4-10'],
    ['opus[1m]', 'anthropic/claude-opus-4-8'],
    ['fast', 'anthropic/claude-haiku-4-5'],
    ['o9-unknown, GPT-5 (copilot)', 'vscode-lm/copilot/gpt-5'],
    ['GPT-5 (anthropic)', 'missing'],
    ['o9-unknown', 'missing'],
  ])('%s: %s', (written, key) => {
    expect(wanted(written)).toBe(key);
  });

  it('is taken of the provider of the chat, where that has it', () => {
    expect(wanted('sonnet', ROUTED)).toBe('openai/anthropic/claude-sonnet-5');
    expect(wanted('sonnet', GPT)).toMatch(/claude-sonnet/);
  });

  it('E-63: that is cheap is one of the same company at the same provider, is paid for, calls tools, and has room for files', () => {
    const window = { contextWindow: 200_000 };
    const beside = [
      { ...model('openrouter', 'acme/large', 'Large', 9), ...window },
      { ...model('openrouter', 'acme/small', 'Small', 2), ...window },
      { ...model('openrouter', 'acme/narrow', 'Narrow', 1), contextWindow: 8_000 },
      { ...model('openrouter', 'acme/mute', 'Mute', 1), ...window, supportsTools: false },
      { ...model('openrouter', 'acme/gift', 'Gift', 0), ...window },
      { ...model('openrouter', 'other/cheap', 'Cheap', 1), ...window },
      { ...model('openai', 'acme/cheapest', 'Cheapest', 0.5), ...window },
    ];
    const listed = [{ source: { id: 'openrouter', label: 'OpenRouter' }, models: beside }] as readonly unknown[] as readonly CatalogEntry[];
    expect(wantedModel('fast', beside[0], listed)).toEqual({ type: 'model', key: 'openrouter/acme/small' });
  });
});
