import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { logTo } from '../../../src/vscode/log.js';

function rig(environment: NodeJS.ProcessEnv = {}, keys: ReadonlySet<string> = new Set()): { readonly log: ReturnType<typeof logTo>; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (...parts: unknown[]): number => lines.push(parts.join(' '));
  const channel = { info: write, warn: write, error: write } as unknown as vscode.LogOutputChannel;
  return { log: logTo(channel, keys, environment), lines };
}

describe('the log (sess-16)', () => {
  it('holds no credentials, neither in messages nor in errors, their stacks, causes and fields', () => {
    const { log, lines } = rig();
    const key = 'sk-ant-api03-a1B2c3D4e5F6g7H8i9J0';
    log.info(`asked with ${key}`);
    log.warn(`Authorization: Bearer abcdefgh`);
    const cause = Object.assign(new Error(`refused ${key}`), { headers: { 'x-api-key': 'canary-of-a-key', authorization: `Bearer ${key}` } });
    log.error(`failed with ${key}`, new Error(`the request with ${key} failed`, { cause }));
    const text = lines.join('\n');
    expect(text).not.toMatch(/a1B2c3D4|canary|abcdefgh/);
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(6);
    // What helps to find the fault is still there.
    expect(text).toMatch(/log\.test\.ts:\d+/);
  });

  it('holds no key of the environment, whatever it looks like', () => {
    const { log, lines } = rig({
      ANTHROPIC_API_KEY: 'canary sings',
      OTHER_TOKEN: 'canary',
      SOME_KEY: '/run/key/of/mine',
      SHORT_KEY: 'the',
      HOME: '/home/somebody',
    });
    log.error('the canary sings in /home/somebody and /run/key/of/mine');
    expect(lines).toEqual(['the [redacted] in /home/somebody and /run/key/of/mine']);
  });

  it('holds no stored key that was used, also one that was used after the log began', () => {
    const keys = new Set<string>();
    const { log, lines } = rig({}, keys);
    keys.add('plain-words-as-a-key');
    log.error('the server said plain-words-as-a-key is wrong');
    expect(lines).toEqual(['the server said [redacted] is wrong']);
  });

  it('keeps the beginning of what is very long', () => {
    const { log, lines } = rig();
    log.error('long', new Error('x'.repeat(1_000_000)));
    expect(lines[0]?.length).toBeLessThan(101_000);
    expect(lines[0]).toMatch(/more characters were left out/);
  });
});
