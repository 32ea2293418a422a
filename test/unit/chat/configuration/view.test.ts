import { describe, expect, it } from 'vitest';
import { validateHostMessage } from '../../../../src/protocol/validate-host-message.js';
import { detailsOf, placesOf, viewOf } from '../../../../src/chat/configuration/configuration-view.js';
import type { ReportedItem, ReportSection } from '../../../../src/chat/configuration/report.js';
import { inWorkspace, reportOf } from './rig.js';

function section(items: readonly Partial<ReportedItem>[], over: Partial<ReportSection> = {}): ReportSection {
  return {
    id: 'agents',
    empty: 'None.',
    problems: [],
    items: items.map((item, index) => ({ key: `a${index}`, name: `a${index}`, state: 'Available', tone: 'usual', ...item })),
    ...over,
  };
}

describe('what a page gets', () => {
  it('is a message that it takes, with short paths and lines', () => {
    const problems = [
      { file: '/ws/a.json', key: 'x', line: 3, message: 'No.' },
      { file: '/home/ada/b.json', key: '', message: 'Odd.', harmless: true as const },
      { file: '', key: '', message: 'A rule.' },
    ];
    const view = viewOf(reportOf(section([{ origin: inWorkspace('.claude/agents/r.md', 2), description: 'Reviews\nall.' }], { problems })));
    expect(validateHostMessage({ type: 'configuration', view, servers: 0 })).toBeDefined();
    expect(view.sections[0]?.rows).toEqual([
      {
        id: 'agents:a0',
        name: 'a0',
        state: 'Available',
        tone: 'usual',
        text: 'Reviews all.',
        place: { id: '/ws/.claude/agents/r.md:2', display: '.claude/agents/r.md:2', layer: 'this workspace' },
      },
    ]);
    expect(view.problems.map(({ place, harmless }) => [place?.display, harmless])).toEqual([
      ['a.json:3', undefined],
      ['~/b.json', true],
      [undefined, undefined],
    ]);
  });

  it('has an end, and says what it leaves out', () => {
    const many = section(
      Array.from({ length: 2_000 }, () => ({ name: 'n'.repeat(5_000), description: 'd'.repeat(5_000) })),
      { problems: Array.from({ length: 500 }, () => ({ file: '/ws/a', key: 'k'.repeat(5_000), message: 'm'.repeat(50_000) })) },
    );
    const view = viewOf(reportOf(many));
    expect([view.sections[0]?.rows.length, view.sections[0]?.left, view.problems.length, view.left]).toEqual([500, 1_500, 200, 300]);
    expect(JSON.stringify(view).length).toBeLessThan(1_500_000);
    const details = detailsOf({
      key: 'a',
      name: 'a',
      state: '',
      tone: 'usual',
      description: 'd'.repeat(50_000),
      fields: Array.from({ length: 900 }, () => ({ field: 'f'.repeat(900), state: 'ignored' as const, note: 'n'.repeat(9_000) })),
    });
    expect([details.left, details.text?.length, details.fields[0]?.name.length]).toEqual([700, 4_000, 300]);
  });

  it('has an id for each row that a request can have, the same for the same thing', () => {
    const twice = section([{ key: 'deny Read(a)' }, { key: 'deny Read(a)' }, { key: 'x'.repeat(900) }], { id: 'rules' });
    const ids = viewOf(reportOf(twice)).sections[0]?.rows.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => id.length <= 512)).toBe(true);
    expect(ids.slice(0, 2)).toEqual(['rules:deny Read(a)', 'rules:deny Read(a) #2']);
    expect(viewOf(reportOf(twice)).sections[0]?.rows.map(({ id }) => id)).toEqual(ids);
  });

  it('may ask for the places that it was sent, and no others', () => {
    const item = {
      origin: inWorkspace('a.md', 2),
      overridden: [{ origin: inWorkspace('b.md'), why: '' }],
      fields: [{ field: 'x', state: 'used' as const, line: 9 }],
    };
    const places = placesOf(reportOf(section([item], { problems: [{ file: '/ws/c.json', key: '', line: 1, message: '' }] })));
    expect([...places.keys()].sort()).toEqual(['/ws/a.md:2', '/ws/a.md:9', '/ws/b.md', '/ws/c.json:1']);
    const details = detailsOf({ key: '', name: '', state: '', tone: 'usual', ...item });
    for (const id of [details.overridden[0]?.place?.id, details.fields[0]?.place?.id]) expect(places.has(id ?? '')).toBe(true);
  });
});
