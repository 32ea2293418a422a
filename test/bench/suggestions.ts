import { readFile } from 'node:fs/promises';
import { type Place, PREFIX_CHARACTERS, SUFFIX_CHARACTERS } from '../../src/completion/place.js';
import { SnippetFinder } from '../../src/completion/snippets.js';
import { Suggester } from '../../src/completion/suggester.js';
import type { Suggestion } from '../../src/completion/suggestion.js';
import { VirtualTime } from '../support/virtual-time.js';
import { type Figure, median, percentile } from './figure.js';
import { measureNextEdits } from './next-edits.js';

/** How long the simulated model takes, in milliseconds. */
const MODEL_MS = 300;
/** The pause of the setting's default, in milliseconds. */
const PAUSE_MS = 75;
/** After how many letters answers go wrong, as those of real models do; one of these by the length of what was typed. */
const RIGHT_LETTERS = [0, 3, 8, 2, 20, 5, 40, 0, 12, 1] as const;
/** How often times are measured. */
const RUNS = 5;
/** What stands before the typed text: as much as is looked at. */
const ABOVE = `${Array.from({ length: 160 }, (_, n) => `const earlier${n} = compute(${n}, 'a line as files have them');`).join('\n')}\n`;
const BELOW = `\n${Array.from({ length: 60 }, (_, n) => `export const later${n} = ${n};`).join('\n')}\n`;

interface Session {
  readonly text: string;
  readonly keys: readonly (readonly [ms: number, key: string])[];
}

/** What a replay of the session brought. */
interface Replay {
  readonly suggester: Suggester;
  /** Milliseconds from each keystroke to the suggestion that was shown before the next. */
  readonly waits: readonly number[];
  /** Suggestions that did not go on from the text as it was. */
  readonly stale: number;
  /** Milliseconds of the processor's own time that calls took until they gave the turn back, and those of hits as a whole. */
  readonly blocks: readonly number[];
  readonly hits: readonly number[];
}

/** A session of 500 keystrokes with the times between them, typed again against a model that takes 300 ms; and what a request costs the host. */
export async function measureSuggestions(): Promise<readonly Figure[]> {
  const session = JSON.parse(await readFile('test/fixtures/typing-session.json', 'utf8')) as Session;
  const replays: Replay[] = [];
  for (let run = 0; run < RUNS; run += 1) replays.push(await replay(session));
  const [{ suggester, waits, stale }] = replays as [Replay, ...Replay[]];
  // The same work each time: what another program of the machine took is not in the least of them.
  const [blocks, hits] = [leastOf(replays.map((each) => each.blocks)), leastOf(replays.map((each) => each.hits))];
  const { requests, hits: hit, joined, cancelled } = suggester.figures;
  const note = `${session.keys.length} keystrokes: ${requests} requests, ${hit} from the cache, ${joined} joined, ${cancelled} given up; shown after ${waits.length}`;
  return [
    { name: 'suggest_requests', value: requests, unit: '', goal: 150, note },
    { name: 'suggest_p50_ms', value: median(waits), unit: 'ms', goal: 50, note: `to a suggestion at a model of ${MODEL_MS} ms` },
    { name: 'suggest_p95_ms', value: percentile(waits, 0.95), unit: 'ms', goal: MODEL_MS + PAUSE_MS },
    {
      name: 'suggest_first_p50_ms',
      value: median(waits.filter((ms) => ms > 0)),
      unit: 'ms',
      goal: MODEL_MS + PAUSE_MS + 5,
      note: 'those that were not in the cache',
    },
    { name: 'suggest_stale', value: stale, unit: '', goal: 0 },
    { name: 'suggest_cache_hit_ms', value: Math.max(...hits), unit: 'ms', goal: 5, note: `longest of ${hits.length}` },
    {
      name: 'suggest_block_ms',
      value: Math.max(...blocks, await contextBlock()),
      unit: 'ms',
      goal: 10,
      note: 'longest stretch of a call, with parts of 6 files of 1,000 lines',
    },
    ...measureNextEdits(),
  ];
}

async function replay({ text, keys }: Session): Promise<Replay> {
  const time = new VirtualTime();
  const suggester = new Suggester({
    ask: async (place) => {
      await time.wait(MODEL_MS);
      return answerAt(place, text);
    },
    wait: time.wait,
    pauseMs: () => PAUSE_MS,
    ready: () => true,
  });
  const seen: { waits: number[]; blocks: number[]; hits: number[]; stale: number } = { waits: [], blocks: [], hits: [], stale: 0 };
  let typed = '';
  let call = new AbortController();
  for (const [index, [, key]] of keys.entries()) {
    call.abort();
    call = new AbortController();
    typed = key === 'Backspace' ? typed.slice(0, -1) : typed + key;
    const place = placeAfter(typed);
    await keystroke({ place, signal: call.signal, pause: keys[index + 1]?.[0] ?? 1_000, text }, { suggester, time, seen });
  }
  return { suggester, ...seen };
}

interface Keystroke {
  readonly place: Place;
  readonly signal: AbortSignal;
  /** Milliseconds until the next one. */
  readonly pause: number;
  readonly text: string;
}

async function keystroke(
  { place, signal, pause, text }: Keystroke,
  { suggester, time, seen }: { suggester: Suggester; time: VirtualTime; seen: { waits: number[]; blocks: number[]; hits: number[]; stale: number } },
): Promise<void> {
  const began = time.now;
  const start = performance.now();
  let shown: { readonly suggestion: Suggestion; readonly at: number; readonly real: number } | undefined;
  const hitsBefore = suggester.figures.hits;
  const suggesting = suggester.suggest(place, false, signal).then((suggestion) => {
    if (suggestion !== undefined) shown = { suggestion, at: time.now, real: performance.now() };
  });
  seen.blocks.push(performance.now() - start);
  if (suggester.figures.hits > hitsBefore) await suggesting;
  await time.pass(pause);
  if (shown === undefined) return;
  seen.waits.push(shown.at - began);
  if (suggester.figures.hits > hitsBefore) seen.hits.push(shown.real - start);
  if (!isOfModel(place, shown.suggestion, text)) seen.stale += 1;
}

/** Whether a suggestion is the rest of what the model said, for some text from which a part of it was typed. */
function isOfModel(place: Place, { text: rest }: Suggestion, text: string): boolean {
  const typed = place.prefix.slice(place.prefix.lastIndexOf(ABOVE.slice(-40)) + 40);
  return Array.from({ length: typed.length + 1 }, (_, length) => length).some((length) => {
    const said = answerAt(placeAfter(typed.slice(0, length)), text);
    return said.startsWith(`${typed.slice(length)}${rest.split('\n', 1)[0] ?? ''}`);
  });
}

/** What belongs there, or something that goes wrong after some letters; for a slip, something else. */
function answerAt({ prefix }: Place, text: string): string {
  const typed = prefix.slice(prefix.lastIndexOf(ABOVE.slice(-40)) + 40);
  if (!text.startsWith(typed)) return 'somethingElse();';
  const rest = text.slice(typed.length, typed.length + 300);
  const right = RIGHT_LETTERS[(typed.length * 7) % RIGHT_LETTERS.length] ?? 0;
  return `${rest.slice(0, right)}wrongWay();`;
}

function placeAfter(typed: string): Place {
  const before = ABOVE + typed;
  return {
    document: 'file:///a.js',
    path: 'a.js',
    language: 'javascript',
    offset: before.length,
    prefix: before.slice(-PREFIX_CHARACTERS),
    suffix: BELOW.slice(0, SUFFIX_CHARACTERS),
  };
}

/** How many milliseconds the host is kept at most while parts of other files are looked for, from one turn to the next. */
async function contextBlock(): Promise<number> {
  const source = await readFile('src/chat/pane/chat-pane.ts', 'utf8');
  const text = source.repeat(20).split('\n').slice(0, 1_000).join('\n');
  const documents = Array.from({ length: 6 }, (_, n) => ({ path: `${n}.ts`, version: 1, text: () => `// ${n}\n${text}` }));
  const runs: number[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await longestHold(() => new SnippetFinder().find(source.slice(-PREFIX_CHARACTERS), documents, 1_500)));
  return Math.min(...runs);
}

/** The most milliseconds between two turns of the event loop while some work runs. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  let turn = setImmediate(function next() {
    look();
    turn = setImmediate(next);
  });
  await work();
  look();
  clearImmediate(turn);
  return longest;
}

/** The least of each of the same measurements. */
function leastOf(runs: readonly (readonly number[])[]): readonly number[] {
  return (runs[0] ?? []).map((_, index) => Math.min(...runs.map((run) => run[index] ?? Infinity)));
}
