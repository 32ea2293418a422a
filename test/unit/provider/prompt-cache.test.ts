import { expect, test } from 'vitest';
import type { PromptCache, Provider } from '../../../src/domain/model/provider.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { type PresetId, presetOf } from '../../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../../src/provider/openai/provider.js';

const HOUR_MS = 60 * 60_000;

function cacheOf(preset: PresetId, model: string, baseUrl?: string): PromptCache | undefined {
  const provider: Provider = createOpenAiProvider({ name: preset, preset: presetOf(preset), apiKey: () => Promise.resolve('k'), baseUrl: () => baseUrl });
  return provider.promptCache?.(model);
}

test('Anthropic keeps prompts for as long as the setting says, which it may say anew at any time', () => {
  let cacheDuration: '5m' | '1h' = '5m';
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => undefined, cacheDuration: () => cacheDuration });
  expect(provider.promptCache?.('claude-opus-5-5')).toEqual({ lifetimeMs: HOUR_MS / 12 });
  cacheDuration = '1h';
  expect(provider.promptCache?.('claude-opus-5-5')).toEqual({ lifetimeMs: HOUR_MS, forHour: true });
});

test('of other servers only what they document is known, and of none what another server under their name does', () => {
  expect(cacheOf('openai', 'gpt-5')).toEqual({ lifetimeMs: 24 * HOUR_MS });
  expect(cacheOf('openai', 'gpt-5', 'https://api.openai.com/v1')).toEqual({ lifetimeMs: 24 * HOUR_MS });
  expect(cacheOf('openrouter', 'anthropic/claude-sonnet-5.5')).toEqual({ lifetimeMs: HOUR_MS / 12 });
  const unknown = [
    cacheOf('openai', 'gpt-5', 'https://gateway.example.com/v1'),
    cacheOf('openai', 'gpt-5', 'no address'),
    cacheOf('openrouter', 'google/gemini-3.8-flash'),
    cacheOf('deepseek', 'deepseek-flash'),
    cacheOf('ollama', 'qwen3'),
  ];
  expect(unknown).toEqual(unknown.map(() => undefined));
});
