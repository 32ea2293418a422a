import { describe, expect, it } from 'vitest';
import { type ReportSection, reportOf } from '../../../../src/config/report/report.js';
import type { ConfigOrigin } from '../../../../src/domain/config/origin.js';

const MINE: ConfigOrigin = { layer: 'user', file: '/home/me/.claude/agents/a.md', display: '~/.claude/agents/a.md' };
const THEIRS: ConfigOrigin = { layer: 'project', file: '/ws/.claude/agents/a.md', display: '.claude/agents/a.md', folder: '/ws', line: 3 };
const section = (over: Partial<ReportSection>): ReportSection => ({ title: 'Agents', empty: 'There are none.', items: [], problems: [], ...over });

describe('S-05: the report on what is configured', () => {
  it('names the winner with file and line, the losers, and what became of each field', () => {
    const { text } = reportOf(
      [section({ items: [{ name: 'a', origin: THEIRS, state: 'Reviews', overridden: [{ origin: MINE, why: 'Weaker.' }], fields: [{ field: 'name', state: 'used', line: 2 }, { field: 'tools', state: 'used', note: 'read', line: 4 }, { field: 'color', state: 'ignored', note: 'Nothing like it.' }, { field: 'permissionMode', state: 'refused', note: 'Too much.', line: 5 }] }] })],
      ['Intro.'],
      [],
    );
    expect(text.split('\n')).toEqual([
      'Gnomon Configuration',
      'Intro.',
      '',
      'AGENTS',
      '  a: Reviews',
      '    .claude/agents/a.md:3 (this workspace)',
      '    Not used: Weaker.',
      '      ~/.claude/agents/a.md (yours)',
      '    Used: name',
      '    Used: tools. read',
      '      .claude/agents/a.md:4',
      '    Ignored: color. Nothing like it.',
      '    Refused: permissionMode. Too much.',
      '      .claude/agents/a.md:5',
      '',
    ]);
  });

  it('leads from every place to its file and line', () => {
    const { text, links } = reportOf([section({ items: [{ name: 'a', origin: THEIRS }], problems: [{ file: '/ws/b.md', key: 'tools', line: 7, message: 'No.' }] })], [], [{ path: '/ws/', short: '' }]);
    expect(links.map(({ start, end, file, line }) => [text.slice(start, end), file, line])).toEqual([['.claude/agents/a.md:3', '/ws/.claude/agents/a.md', 3], ['b.md:7', '/ws/b.md', 7]]);
  });

  it('says where things would come from when there are none, and shows what cannot be seen in hostile texts, on one line', () => {
    expect(reportOf([section({})], [], []).text).toContain('  There are none.\n');
    const { text } = reportOf([section({ items: [{ name: 'a\u202E\nAGENTS', state: 'x'.repeat(1_000) }] })], [], [{ path: '/ws/', short: '' }]);
    expect(text).not.toContain('\u202E');
    expect(text.split('\n').filter((line) => line === 'AGENTS')).toHaveLength(1);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(320);
  });

  it('stays readable with thousands of items', () => {
    const { text } = reportOf([section({ items: Array.from({ length: 2_000 }, (_, index) => ({ name: `n${index}` })) })], [], [{ path: '/ws/', short: '' }]);
    expect(text).toContain('1500 more are not listed.');
  });
});
