import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Usage, addUsage, costOf, NO_USAGE, totalInputTokens } from '../../../../src/domain/model/usage.js';
import { isWithin } from '../../../../src/node/files/within.js';
import { type Asked, MODELS, PRICES, signatureOf } from './models.js';
import { SHARED, onlyIn, ruleOf } from './scripts.js';
import type { Talk } from './talk.js';
import type { World } from './world.js';

const summed = (asked: readonly { readonly usage: Usage }[]): Usage => asked.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
const tokensOf = (usage: Usage): number => totalInputTokens(usage) + usage.outputTokens;

/** What was paid for is what the servers gave: by session, by model, and from the purse, which gave no more than it had. */
export function checkMoney({ talks, models, purse, plan }: World): void {
  for (const talk of talks) checkTalk(talk, models.asked);
  const sharing = talks.filter((talk) => talk.plan.shares);
  const paid = models.asked.filter(({ canary }) => sharing.some((talk) => talk.canary === canary));
  const [dollars, tokens] = [sum(sharing.map(({ session }) => session.costUsd ?? NaN)), sum(sharing.map(({ session }) => tokensOf(session.usage)))];
  expect({ ...purse.spent, costUsd: purse.spent.costUsd?.toFixed(9) }).toEqual({ requests: paid.length, tokens, costUsd: dollars.toFixed(9) });
  expect(purse.reserved).toEqual({ requests: 0, tokens: 0, costUsd: 0 });
  expect(paid.length).toBeLessThanOrEqual(plan.budget);
  if (sharing.some(({ turns }) => turns.some(({ end }) => end === 'cap'))) expect(paid.length).toBe(plan.budget);
}

/** What a session counts, by its turns, is what it counts as a whole, and what the servers gave. */
function checkTalk({ canary, plan, session, turns }: Talk, all: readonly Asked[]): void {
  const asked = all.filter((each) => each.canary === canary);
  const given = summed(asked);
  // A session that is stopped at any event may not have read what its last answer took.
  if (plan.stop?.at === 'event') expect(tokensOf(session.usage)).toBeLessThanOrEqual(tokensOf(given));
  else expect(session.usage).toEqual(given);
  expect(session.costUsd).toBeCloseTo(costOf(session.usage, PRICES[plan.wire]), 9);
  const byModel = turns.flatMap((turn) => Object.entries(turn.byModel));
  expect([...new Set(byModel.map(([name]) => name))]).toEqual(asked.length === 0 ? [] : [MODELS[plan.wire]]);
  expect(sum(byModel.map(([, { requests }]) => requests))).toBe(asked.length);
  expect(summed(byModel.map(([, figures]) => figures))).toEqual(session.usage);
}

/** Every session came to its end, unless it was stopped or had no money left, and all of its calls with it. */
export function checkEnds({ talks, log }: World): void {
  for (const talk of talks) {
    const ends = talk.turns.map(({ end }) => end);
    const possible = ['end_turn', ...(talk.isStopped ? ['aborted'] : []), ...(talk.plan.shares ? ['cap'] : [])];
    expect({ ends, errors: talk.turns.map(({ error }) => error), possible }).toMatchObject({
      ends: ends.map((end) => (possible.includes(end) ? end : 'another')),
    });
    if (ends.every((end) => end === 'end_turn') && ends.length === 2) expect([...talk.ended.keys()].sort()).toEqual([...talk.intents.keys()].sort());
  }
  // A command ends at its limit; an edit is refused when another session has just changed the file.
  expect(talks.flatMap(failures).filter(({ deed }) => deed !== 'wait' && deed !== 'edit')).toEqual([]);
  expect(log.errors).toEqual([]);
}

function failures({ intents, ended }: Talk): readonly { readonly deed: string; readonly result: unknown }[] {
  return [...intents].flatMap(([id, { deed }]) => {
    const state = ended.get(id);
    return state?.status === 'failed' ? [{ deed, result: state.result.content }] : [];
  });
}

/** Requests keep to their wires, and nothing of a session or of its folder is in a request or in the files of another. */
export function checkSecrets({ talks, models, places, storage }: World): void {
  expect(models.refused).toEqual([]);
  for (const talk of talks) {
    const foreign = talks.filter((other) => other !== talk).flatMap(({ canary, session }) => [canary, signatureOf(canary), session.id]);
    const kept = readdirSync(join(storage, 'sessions')).filter((name) => name.startsWith(talk.session.id));
    const texts = [...rawOf(models.asked, talk), ...kept.map((name) => readFileSync(join(storage, 'sessions', name), 'utf8'))];
    expect(foreign.filter((word) => texts.some((text) => text.includes(word)))).toEqual([]);
    const { folder } = talk.plan;
    const other = folder === 0 ? 1 : 0;
    for (const raw of rawOf(models.asked, talk)) {
      expect(raw).toContain(`Working directory: ${places.folders[folder]}`);
      expect([onlyIn(folder), ruleOf(folder), onlyIn(other), ruleOf(other)].map((words) => raw.includes(words))).toEqual([true, true, false, false]);
    }
  }
}

function rawOf(asked: readonly Asked[], { canary }: Talk): readonly string[] {
  return asked.filter((each) => each.canary === canary).map(({ raw }) => raw);
}

/**
 * What a call needs to be allowed: everything outside of the folder of its session, commands unless they are held to reading, and where the user
 * wants that, changes.
 */
export async function checkGates({ talks, places, host }: World): Promise<void> {
  const { available } = await host.host.ground.sandbox.state();
  for (const { plan, intents, ran, answers } of talks) {
    for (const id of ran) {
      const { deed, path } = intents.get(id) ?? { deed: 'read', path: '' };
      const needs =
        !isWithin(places.folders[plan.folder], path) || (plan.asksFirst && (deed === 'write' || deed === 'edit')) || (deed === 'look' && !available);
      expect({ deed, answer: answers.get(id) }).toEqual({ deed, answer: needs ? 'allow' : undefined });
    }
  }
}

/** The files that a session has changed, and those that it may have, as their calls were stopped. */
interface Changed {
  readonly surely: ReadonlySet<string>;
  readonly perhaps: ReadonlySet<string>;
}

const CHANGING: ReadonlySet<string> = new Set(['write', 'write far', 'edit']);

function changedBy({ intents, ended }: Talk): Changed {
  const paths = (status: 'done' | 'cancelled'): ReadonlySet<string> =>
    new Set([...intents].flatMap(([id, { deed, path }]) => (CHANGING.has(deed) && ended.get(id)?.status === status ? [path] : [])));
  return { surely: paths('done'), perhaps: paths('cancelled') };
}

/** What is kept for undo and for review is of whoever changed it, and nothing that was written got lost. */
export async function checkChanges({ talks, host, places }: World): Promise<void> {
  const changed = talks.map((talk) => ({ talk, ...changedBy(talk) }));
  for (const { talk, surely, perhaps } of changed) {
    const { entries } = await host.checkpoints.index(talk.session.id);
    const paths = new Set(entries.map(({ path }) => path));
    expect([...paths].filter((path) => !surely.has(path) && !perhaps.has(path))).toEqual([]);
    expect([...surely].filter((path) => !paths.has(path))).toEqual([]);
  }
  for (const { path, sessions } of host.ledger.files()) {
    const known = new Set(sessions);
    const of = (kind: keyof Changed): readonly string[] => changed.filter((each) => each[kind].has(path)).map(({ talk }) => talk.session.id);
    expect(sessions.filter((id) => !of('surely').includes(id) && !of('perhaps').includes(id))).toEqual([]);
    expect(of('surely').filter((id) => !known.has(id))).toEqual([]);
  }
  const reviewed = host.ledger.files().map(({ path }) => path);
  expect(changed.flatMap(({ surely }) => [...surely]).filter((path) => !reviewed.includes(path))).toEqual([]);
  const texts = new Map(places.folders.map((folder) => [join(folder, SHARED), readFileSync(join(folder, SHARED), 'utf8')]));
  for (const { intents, ended } of talks) {
    for (const [id, { deed, path, mark }] of intents) {
      const status = ended.get(id)?.status;
      if (deed === 'edit' && status !== 'cancelled') expect({ mark, isThere: texts.get(path)?.includes(mark) }).toEqual({ mark, isThere: status === 'done' });
    }
  }
}
