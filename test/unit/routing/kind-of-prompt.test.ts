import { describe, expect, it } from 'vitest';
import { TASK_KINDS } from '../../../src/domain/model/task-kind.js';
import words from '../../../src/routing/kind-words.json';
import { kindOfPrompt } from '../../../src/routing/kind-of-prompt.js';
import { accuracy, promptMatrices } from '../../routing/prompts.js';

describe('the kind of a prompt', () => {
  it('R-15 is guessed as often as the documentation says', () => {
    const { tuned, heldOut } = promptMatrices();
    expect([tuned, heldOut].map(({ counts }) => counts.flat().reduce((sum, count) => sum + count, 0))).toEqual([280, 130]);
    expect(accuracy(tuned)).toBeGreaterThan(0.9);
    expect(accuracy(heldOut)).toBeGreaterThanOrEqual(0.6);
    // Each kind is recognized at all, in both.
    for (const { counts } of [tuned, heldOut]) counts.forEach((row, at) => expect([TASK_KINDS[at], row[at]]).not.toEqual([TASK_KINDS[at], 0]));
  });

  it.each([
    ['generation', ''],
    ['generation', 'hm'],
    ['generation', '🙂 🙂'],
    ['unit_test', 'Write unit tests for the parser.'],
    ['unit_test', 'Schreib Tests für den Parser.'],
    ['debug', 'It works locally, but crashes in production.'],
    ['explain', 'Was macht diese Funktion?'],
    // A negation is not what is wanted.
    ['boilerplate', 'An empty Dockerfile, without tests.'],
  ])('is %s for %j', (kind, prompt) => {
    expect(kindOfPrompt(prompt)).toBe(kind);
  });

  it('is what a command says, and rather planning in a chat that only plans', () => {
    expect(kindOfPrompt('src/a.ts', { command: 'Security-Review' })).toBe('security_review');
    expect(kindOfPrompt('src/a.ts', { command: 'constructor' })).toBe('generation');
    expect(kindOfPrompt('pagination for the list of orders', { planOnly: true })).toBe('planning');
    expect(kindOfPrompt('Schreib Tests für den Parser.', { planOnly: true })).toBe('unit_test');
  });

  it('reads where a prompt begins and where it ends', () => {
    const log = 'src/a.ts 12 ok\n'.repeat(20_000);
    expect([kindOfPrompt(`Explain this:\n${log}`), kindOfPrompt(`${log}\nExplain this.`)]).toEqual(['explain', 'explain']);
  });

  it.each(['a', ' ', 'a ', '(', '?', 'テ', "a'", 'a.', '\n', '\n(', '😀', '\ud800', 'or ', 'at ', 'Error', 'ﷺ', 'i\u0307'])(
    'takes no time for a million of %j',
    (piece) => {
      const hostile = piece.repeat(Math.ceil(1_000_000 / piece.length));
      const started = performance.now();
      expect(TASK_KINDS).toContain(kindOfPrompt(hostile));
      expect(performance.now() - started).toBeLessThan(250);
    },
  );

  it('has no phrase twice for a kind, and only kinds and commands that there are', () => {
    expect(Object.keys(words.words)).toEqual([...TASK_KINDS]);
    expect(Object.values(words.commands).filter((kind) => !TASK_KINDS.some((each) => each === kind))).toEqual([]);
    for (const [kind, byWeight] of Object.entries(words.words)) {
      const phrases = Object.values(byWeight).flat();
      expect([kind, phrases.filter((phrase, at) => phrases.indexOf(phrase) !== at)]).toEqual([kind, []]);
    }
  });
});
