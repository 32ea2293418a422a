import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserContent } from '../../../../src/domain/model/content.js';
import type { SessionMeta } from '../../../../src/domain/session/session-store.js';
import { ALL_RUNS } from '../../../support/runs.js';
import { type Rig, type RigOptions, rig, testTool } from '../rig.js';
import { type Form, FORMS } from './forms.js';
import { type Row, ENDINGS, isRefused, MISPLACED, ROWS, UNKNOWN } from './rows.js';
import { type RefusingWire, startWires } from './wires.js';

let wires: readonly RefusingWire[];
beforeAll(async () => {
  wires = await startWires();
});
afterAll(() => Promise.all(wires.map((wire) => wire.close())));

const IMAGE: UserContent = { type: 'image', mimeType: 'image/png', data: new Uint8Array([137, 80, 78, 71]) };
const LONG = 'so it goes on and on; '.repeat(250);
/** Milliseconds for a table, whose cells are sessions of several requests each, on a machine with much else to do. */
const TABLE_MS = 240_000;
const say = (text: string, ...more: readonly UserContent[]): readonly UserContent[] => [{ type: 'text', text }, ...more];

const read = testTool('read', { execute: () => ({ content: [{ type: 'text', text: 'worked on it' }], isError: false }) });

/** A conversation as it is stored. */
type Stored = Pick<RigOptions, 'messages' | 'meta'>;
/** By wire: a session with thinking and a call, and the same with much text behind it. */
const stored = new Map<RefusingWire, { readonly short: Stored; readonly long: Stored }>();

beforeAll(async () => {
  for (const wire of wires) {
    const { session, recorder } = start(wire, {});
    expect(await session.send(say('please work')).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    const short = { messages: [...session.messages], meta: { models: recorder.meta['models'] as SessionMeta['models'] } as SessionMeta };
    for (let turn = 0; turn < 4; turn += 1) await session.send(say(LONG)).turn;
    stored.set(wire, { short, long: { messages: [...session.messages], meta: { models: recorder.meta['models'] as SessionMeta['models'] } as SessionMeta } });
  }
});

function start(wire: RefusingWire, before: Stored): Rig {
  const it = rig({ ...before, tools: [read], maxRetries: 1, wait: () => Promise.resolve(), effort: 'high' });
  wire.refuse(() => undefined);
  it.session.setModel(wire.provider(), wire.model);
  return it;
}

function begun(wire: RefusingWire, kind: Row['kind']): Rig {
  return start(wire, stored.get(wire)?.[kind === 'length' ? 'long' : 'short'] ?? {});
}

/** What a server does with the message that it refuses, and with the next one. */
interface Cell {
  readonly refused: boolean;
  readonly turn: string;
  readonly next: string;
  readonly requests: number;
  readonly alive: boolean;
}

const isAboutContent = ({ kind }: Row): boolean => kind === 'content' || kind === 'unknown';

async function run(wire: RefusingWire, row: Row, form: Form = 'own'): Promise<Cell> {
  const { session } = begun(wire, row.kind);
  const [before, refusals] = [wire.sent.length, { count: 0 }];
  wire.refuse((sent) => {
    if (!isRefused(row, wire, sent) || (row.kind === 'once' && refusals.count > 0)) return undefined;
    refusals.count += 1;
    return { ...row.refusal, words: row.refusal.words.replace('FIELD', wire.field) };
  }, form);
  const message = isAboutContent(row) ? say('FORBIDDEN words') : row.kind === 'images' ? say('look', IMAGE) : say(row.kind === 'length' ? LONG : 'go on');
  const { end: turn } = await session.send(message).turn;
  const { end: next } = await session.send(say('something harmless')).turn;
  const ended = isAboutContent(row) ? 'error' : 'end_turn';
  const isRefusable = row.kind !== 'thinking' || wire.thinking !== undefined;
  const alive = turn === ended || row.mayFail === true || !isRefusable ? next === 'end_turn' : false;
  return { refused: refusals.count > 0, turn, next, requests: wire.sent.length - before, alive };
}

const mark = ({ alive, refused, requests }: Cell): string => (!refused ? 'not sent' : alive ? `alive ${requests}` : 'DEAD');

describe('a session goes on after a refusal', () => {
  test(
    'in any known wording, over every wire: no cell is dead',
    async () => {
      const lines = await table(
        ROWS.map((row) => ({ title: `${row.kind} ${row.refusal.status} ${row.refusal.words.slice(0, 60)}`, row, form: 'own' as const })),
      );
      expect(lines.filter((line) => line.includes('DEAD'))).toEqual([]);
      expect(lines.filter((line) => line.includes('alive'))).toHaveLength(ROWS.length);
    },
    TABLE_MS,
  );

  test(
    'of a length, in known words, with a status that says something else',
    async () => {
      const lines = await table(
        MISPLACED.map((row) => ({ title: `length ${row.refusal.status} ${row.refusal.words.slice(0, 60)}`, row, form: 'own' as const })),
      );
      expect(lines.filter((line) => line.includes('DEAD') || !line.includes('alive'))).toEqual([]);
    },
    TABLE_MS,
  );

  test(
    'of a message, in words that are in no list, in any form: the next message is answered',
    async () => {
      const cases = UNKNOWN.map((row, index) => {
        const form = FORMS[index % FORMS.length] ?? 'own';
        return { title: `unknown ${form === 'stream' ? '' : row.refusal.status} as ${form}: ${row.refusal.words}`, row, form };
      });
      const lines = await table(cases);
      expect(lines.filter((line) => line.includes('DEAD') || !line.includes('alive'))).toEqual([]);
    },
    TABLE_MS,
  );

  test(
    'in any form of the same words, and with any status',
    async () => {
      const first = (kind: Row['kind']): Row => ROWS.find((row) => row.kind === kind) as Row;
      const kinds = (['thinking', 'images', 'length', 'content'] as const).map(first);
      const statuses = [404, 413, 422, 500];
      const cases = kinds.flatMap((row, kind) =>
        FORMS.map((form, index) => {
          const status = statuses[(index + kind) % statuses.length] ?? 400;
          return { title: `${row.kind} ${form === 'stream' ? '' : status} as ${form}`, row: { ...row, refusal: { ...row.refusal, status } }, form };
        }),
      );
      const lines = await table(cases);
      expect(lines.filter((line) => line.includes('DEAD'))).toEqual([]);
    },
    TABLE_MS,
  );

  test.each(ENDINGS)('where the model ends its answer with %s', async (ending) => {
    for (const wire of wires) {
      const { session } = begun(wire, 'content');
      wire.refuse((sent) => (sent.includes('FORBIDDEN') ? { status: 400, words: '' } : undefined));
      wire.endWith(ending);
      expect(await session.send(say('FORBIDDEN words')).turn, wire.name).toMatchObject({ end: 'error', error: { kind: 'refused_content' } });
      expect(session.heldBack, wire.name).toEqual([{ from: 4, to: session.messages.length }]);
      expect(await session.send(say('something harmless')).turn, wire.name).toMatchObject({ end: 'end_turn' });
      wire.endWith(undefined);
    }
  });
});

/** Why a cell is left out, if it is. */
function skipped(wire: RefusingWire, { kind }: Row, place: number): string | undefined {
  // What is refused about thinking is not sent over every wire.
  if (kind === 'thinking') return undefined;
  if (isAsOthers(wire)) return 'as others';
  return ALL_RUNS || place % 4 === 0 ? undefined : 'in the soak';
}

/** Gemini differs from other servers of its API only in how thinking goes back. */
const isAsOthers = ({ name }: RefusingWire): boolean => name.includes('gemini');

/** A row for each case, a column for each wire. */
async function table(cases: readonly { readonly title: string; readonly row: Row; readonly form: Form }[]): Promise<readonly string[]> {
  const differing = wires.filter((wire) => !isAsOthers(wire));
  const columns = await Promise.all(
    wires.map(async (wire) => {
      const cells: string[] = [];
      const column = differing.indexOf(wire);
      for (const [at, { row, form }] of cases.entries()) cells.push(skipped(wire, row, at + column) ?? mark(await run(wire, row, form)));
      return cells;
    }),
  );
  const head = ['', ...wires.map(({ name }) => name)];
  const lines = cases.map(({ title }, index) => [title, ...columns.map((cells) => cells[index] ?? '')]);
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)));
  const printed = [head, ...lines].map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | '));
  process.stdout.write(`${printed.join('\n')}\n`);
  return printed.slice(1);
}
