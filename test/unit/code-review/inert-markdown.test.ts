import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { inertMarkdown } from '../../../src/code-review/inert-markdown.js';
import { runs } from '../../support/runs.js';

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
