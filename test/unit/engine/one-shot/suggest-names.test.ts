import { describe, expect, it } from 'vitest';
import { AbortError } from '../../../../src/domain/errors.js';
import { namesIn, suggestNames } from '../../../../src/engine/one-shot/suggest-names.js';
import { type Script, answers, calls, Latch, says, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { MemoryLog, TestClock } from '../rig.js';

function rig(script: Script) {
  const provider = new ScriptedProvider([script]);
  const stop = new AbortController();
  const symbol = { name: 'x', language: 'typescript', code: 'const x = 60;\nwait(x);', line: 'const x = 60;' };
  return {
    provider,
    stop,
    names: () => suggestNames(symbol, { provider, model: TEST_MODEL, clock: new TestClock(), log: new MemoryLog(), signal: stop.signal }),
  };
}

describe('better names for a symbol', () => {
  it('are asked for in one request with the code around it', async () => {
    const { provider, names } = rig([...says(0, 'secondsPer', 'Minute\nminute', 'Length'), ...stops('end_turn')]);
    expect(await names()).toEqual(['secondsPerMinute', 'minuteLength']);
    const [request] = provider.requests;
    expect(request).toMatchObject({ tools: [], effort: 'off' });
    for (const part of ['typescript', 'wait(x);', 'Find names for `x`']) expect(JSON.stringify(request?.messages)).toContain(part);
  });

  it('fail with the reason when the request does, when it is stopped, and when no name came', async () => {
    await expect(rig([...says(0, 'a'), new Error('gone')]).names()).rejects.toThrow('gone');
    await expect(rig(answers('I cannot find one, sorry.')).names()).rejects.toThrow('The model did not suggest another name.');
    await expect(rig([...calls(0, 'c', { name: 'bash', args: {} }), ...stops('tool_use')]).names()).rejects.toThrow('The model did not suggest another name.');
    const latch = new Latch();
    const stopped = rig([...says(0, 'a'), latch, ...stops('end_turn')]);
    const asking = stopped.names();
    await latch.reached;
    stopped.stop.abort();
    latch.open();
    await expect(asking).rejects.toThrow(AbortError);
  });

  it.each([
    ['- `total`\n2. sum\nsum\ncount', ['total', 'sum', 'count']],
    ['Here are some names:\nvalue\nx\n`rm -rf`\nempty?', ['value', 'empty?']],
    ['größe\r\nsafe\u202Etxt\na\nb\nc\nd\ne', ['größe', 'a', 'b', 'c', 'd']],
    ['', []],
  ])('in %j they are %j', (written, names) => {
    expect(namesIn(written, 'x')).toEqual(names);
  });
});
