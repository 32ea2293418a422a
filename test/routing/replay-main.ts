import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { escapeHidden } from '../../src/domain/hidden-characters.js';
import type { Decision } from '../../src/domain/model/routing.js';
import { TASK_KINDS } from '../../src/domain/model/task-kind.js';
import { readRouting } from '../../src/routing/read-decision.js';
import { asText } from '../eval/table.js';
import { type OtherRule, replay } from './replay.js';

const USAGE = `Usage: npm run replay:routing -- FOLDER [--attempt USD] [--floor KIND=SHARE]...
FOLDER has sessions of Gnomon, at any depth. Without options, every decision should come out as it was.
Kinds: ${TASK_KINDS.join(', ')}`;

/** Runs `npm run replay:routing`. Returns the exit code: 0 where all decisions could be replayed, 2 where the arguments are wrong. */
export function main(args: readonly string[]): Promise<number> {
  const read = argumentsOf(args);
  if (read === undefined) {
    console.error(USAGE);
    return Promise.resolve(2);
  }
  const { decisions, unread } = decisionsIn(read.folder);
  const replayed = decisions.map((before) => [before, replay(before, read.rule)] as const);
  const changed = replayed.filter(([before, after]) => after !== undefined && nameOf(before) !== nameOf(after));
  const left = replayed.filter(([, after]) => after === undefined).length;
  const rows = changed.map(([before, after]) => [before.kind, nameOf(before), after === undefined ? '' : nameOf(after), costOf(before), costOf(after)]);
  if (rows.length > 0) console.log(`${asText({ head: ['kind', 'was chosen', 'would be chosen', 'cost', 'would cost'], rows })}\n`);
  console.log(`${decisions.length} decisions, ${changed.length} of them other ones, ${left} that do not say enough`);
  if (unread.length > 0) console.log(`Not read: ${unread.join(', ')}`);
  return Promise.resolve(0);
}

/** The folder, and the rule to compare; `undefined` for arguments that are wrong. */
function argumentsOf(args: readonly string[]): { readonly folder: string; readonly rule: OtherRule } | undefined {
  const options = { attempt: { type: 'string' }, floor: { type: 'string', multiple: true } } as const;
  const parsed = parsedArgs(args, options);
  if (parsed === undefined) return undefined;
  const { values, positionals } = parsed;
  const [folder] = positionals;
  const floors = (values.floor ?? []).map((each) => [each.slice(0, Math.max(0, each.indexOf('='))), each.slice(each.indexOf('=') + 1)] as const);
  const attempt = values.attempt === undefined ? undefined : Number(values.attempt);
  const isRight = floors.every(([kind, share]) => TASK_KINDS.some((each) => each === kind) && Number(share) >= 0 && Number(share) <= 1);
  if (folder === undefined || positionals.length > 1 || !isRight || (attempt !== undefined && !(attempt >= 0))) return undefined;
  const rule = { floors: Object.fromEntries(floors.map(([kind, share]) => [kind, Number(share)])) };
  return { folder, rule: attempt === undefined ? rule : { ...rule, attemptUsd: attempt } };
}

function parsedArgs(
  args: readonly string[],
  options: { readonly attempt: { readonly type: 'string' }; readonly floor: { readonly type: 'string'; readonly multiple: true } },
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    // Such as an option that there is not: the usage says which there are.
    return undefined;
  }
}

/** The decisions that are stored with the sessions below a folder, and the files that could not be read. */
function decisionsIn(folder: string): { readonly decisions: readonly Decision[]; readonly unread: readonly string[] } {
  if (!existsSync(folder)) return { decisions: [], unread: [folder] };
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith('.meta.json'));
  const unread: string[] = [];
  const decisions = entries.flatMap(({ parentPath, name }) => {
    const routings = routingsIn(join(parentPath, name));
    if (routings === undefined) unread.push(join(parentPath, name));
    return Object.values(routings ?? {}).flatMap((stored) => {
      const routing = readRouting(stored);
      return routing === undefined || routing.type === 'kept' ? [] : [routing];
    });
  });
  return { decisions, unread };
}

/** @returns undefined for a file that is damaged */
function routingsIn(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { routings = {} } = JSON.parse(readFileSync(file, 'utf8')) as { readonly routings?: Readonly<Record<string, unknown>> };
    return routings;
  } catch {
    return undefined;
  }
}

function nameOf(decision: Decision): string {
  return decision.type === 'chosen' ? escapeHidden(decision.key) : `asks: ${decision.why.type}`;
}

function costOf(decision: Decision | undefined): string {
  const chosen = decision?.type === 'chosen' ? decision.candidates.find(({ key }) => key === decision.key) : undefined;
  return chosen?.costUsd === undefined ? '' : `$${chosen.costUsd.toFixed(4)}`;
}
