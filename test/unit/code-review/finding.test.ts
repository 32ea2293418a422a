import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { countBySeverity, type Finding, findingWords, inertMarkdown, refusalOf } from '../../../src/code-review/finding.js';
import { runs } from '../../support/runs.js';

const finding = (changes: Partial<Finding> = {}): Finding => ({
  path: '/ws/a.ts',
  start: 2,
  end: 3,
  severity: 'warning',
  title: 'Wrong',
  explanation: '',
  suggestion: '',
  ...changes,
});

describe('the words of a finding', () => {
  it('are on one line for the title, and hold nothing that does not show', () => {
    const words = findingWords({ title: ' Wrong\n\tvalue\u202E ', explanation: 'a\r\nb\u200Bc\u{E0041}', suggestion: '  ' });
    expect(words).toEqual({ title: 'Wrong value', explanation: 'a\nbc', suggestion: '' });
  });

  it('are cut where they are too long, never through a character', () => {
    const { title, explanation } = findingWords({ title: '😀'.repeat(300), explanation: 'x'.repeat(10_000), suggestion: '' });
    expect(title.length).toBeLessThanOrEqual(201);
    expect(title.isWellFormed()).toBe(true);
    expect(explanation).toHaveLength(4_001);
    expect(explanation.endsWith('…')).toBe(true);
  });
});

describe('a finding', () => {
  it('is refused without a title, and when it was reported already', () => {
    expect(refusalOf(finding({ title: '' }), [])).toMatch(/title/);
    expect(refusalOf(finding({ title: 'wrong', end: 9 }), [finding()])).toMatch(/already/);
  });

  it('is taken at other lines, in another file and with another title', () => {
    for (const other of [{ start: 7, end: 8 }, { path: '/ws/b.ts' }, { title: 'Slow' }]) expect(refusalOf(finding(other), [finding()])).toBeUndefined();
  });

  it('is one too many from some number on', () => {
    const known = Array.from({ length: 100 }, (_, start) => finding({ start, end: start + 1 }));
    expect(refusalOf(finding({ start: 200, end: 201 }), known.slice(1))).toBeUndefined();
    expect(refusalOf(finding({ start: 200, end: 201 }), known)).toMatch(/100 findings/);
  });
});

describe('findings by severity', () => {
  it('are counted, worst first, without those that there are none of', () => {
    expect(countBySeverity([finding(), finding({ severity: 'hint' }), finding({ severity: 'error' }), finding()])).toEqual([
      ['error', 1],
      ['warning', 2],
      ['hint', 1],
    ]);
  });
});

/** What Markdown makes of it, with HTML let through as VS Code never does. */
const html = (text: string): string => marked.parse(inertMarkdown(text), { async: false });
/** The only elements that plain words with code may become. */
const HARMLESS = /^<\/?(?:p|code|br)>$/;

describe('words of a model as Markdown', () => {
  it.each([
    '[run](command:workbench.action.quit)',
    '![x](https://evil.test/x.png)',
    '<img src=x onerror=y>',
    '<https://evil.test>',
    'https://evil.test',
    '[a]: https://evil.test\n\n[a]',
    '# heading',
    '- item',
    '| a |\n| - |',
    '&lt;b&gt;',
    '    indented',
    '~~~\ncode\n~~~',
    'a\\`![x](y)`',
  ])('%j are only words', (text) => {
    expect((html(text).match(/<[^>]*>/g) ?? []).filter((tag) => !HARMLESS.test(tag))).toEqual([]);
  });

  it('show code between backticks, and keep lines and paragraphs', () => {
    expect(html('Use `a[0] <b>` here.\nThen\n\nstop.')).toBe('<p>Use <code>a[0] &lt;b&gt;</code> here.<br>Then</p>\n<p>stop.</p>\n');
  });

  it('are only words, whatever they are', () => {
    const nasty = fc
      .array(
        fc.constantFrom(
          '`',
          '\\',
          '!',
          '[',
          ']',
          '(',
          ')',
          '<',
          '>',
          ':',
          '\n',
          ' ',
          '    ',
          '#',
          '-',
          '*',
          '_',
          '|',
          '&',
          'a',
          'http://x.y',
          'command:z',
          '```',
          '~~~',
          '1. ',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(nasty, (text) => (html(text).match(/<[^>]*>/g) ?? []).every((tag) => HARMLESS.test(tag))),
      { numRuns: runs(3_000) },
    );
  });
});
