import { expect, test } from 'vitest';
import { errorHelp, errorText } from '../../../../src/provider/http/error-text.js';

const server = { host: 'api.anthropic.com', addressSetting: 'gnomon.anthropic.baseUrl' };

test('while a request is made again on its own, what happened is told without advice', () => {
  const facts = { detail: null, status: 429, retryAfterMs: 12_000 };
  expect(errorHelp('rate_limit', server, facts)).toEqual({ fact: 'Rate limited by api.anthropic.com.' });
  expect(errorText('rate_limit', server, facts)).toContain('12 seconds');
  expect(errorHelp('server', server, { detail: 'Down', status: 500 })).toEqual({ fact: 'api.anthropic.com reported an internal error (Down).' });
});

test('without credit, the page where it is paid for helps, where the service is known; a host of another name is not', () => {
  const facts = { detail: 'Your credit balance is too low', status: 400 };
  expect(errorHelp('quota', server, facts)).toEqual({ billingPage: 'https://console.anthropic.com/settings/billing' });
  expect(errorText('quota', server, facts)).toMatch(/credit balance is too low/);
  for (const host of ['127.0.0.1:8080', 'api.anthropic.com.evil.example', 'constructor']) expect(errorHelp('quota', { ...server, host }, facts)).toEqual({});
  expect(errorHelp('authentication', server, facts)).toEqual({});
});
