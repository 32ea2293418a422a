import { assertNever } from '../domain/assert-never.js';
import { attachedBlock } from '../domain/session/attached.js';
import type { UserContent } from '../domain/model/content.js';
import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { present } from '../domain/present.js';
import { showName, count } from '../text/show.js';
import { type NamedFile, attachFile, exists, keptBack, attachEditors, attachProblems, attachTerminal } from './attach-file.js';
import type { Mention, Lookup, MentionDeps, ResolveOptions } from './mention-deps.js';
import { parseMentions } from './typed-mentions.js';
import type { SymbolPlace } from '../domain/workspace/code-intelligence.js';
import { join } from 'node:path';
import { type ReportedChanges, diffReport, changedNames, diffOf, newNames } from '../node/process/git-diff.js';

/** Mentions of one message that are looked up. */
const MAX_MENTIONS = 30;
/** Characters that all mentions of a message attach together, some 60,000 tokens. */
const MAX_CHARACTERS = 240_000;
/** Bytes of all images together. */
const MAX_IMAGES_BYTES = 20 * 1024 * 1024;

/** Longest time that the mentions of a message are looked up, in milliseconds; git and language servers have limits of their own. */
const RESOLVE_MS = 30_000;

/** How mentions are looked up, with files that come with the text as links: they are attached first, each once. */
interface ResolveAll extends ResolveOptions {
  readonly linked?: readonly NamedFile[];
}

/**
 * Resolves the mentions in a text to blocks, in the order of the text. What cannot be attached of the workspace becomes an explanatory
 * text. A resource of a server that cannot be read was meant to be a part of the message, and can perhaps be read a moment later.
 * @throws Error that names each resource that cannot be read, or that it takes too long; AbortError when the signal is aborted
 */
export async function resolveMentions(text: string, deps: MentionDeps, { signal: stopped, ...options }: ResolveAll = {}): Promise<readonly UserContent[]> {
  const late = AbortSignal.timeout(RESOLVE_MS);
  try {
    return await resolveNow(text, deps, { ...options, signal: stopped === undefined ? late : AbortSignal.any([stopped, late]) });
  } catch (error) {
    if (stopped?.aborted === true || !late.aborted) throw error;
    throw new Error(t('The mentions in your message could not be resolved within {0} seconds. Remove a mention, or try again.', RESOLVE_MS / 1_000), {
      cause: error,
    });
  }
}

async function resolveNow(
  text: string,
  deps: MentionDeps,
  { signal, linked = [], progress = () => undefined }: ResolveAll & { readonly signal: AbortSignal },
): Promise<readonly UserContent[]> {
  const links = linked.map(({ path, lines }): Mention => ({ kind: 'path', path, ...present({ lines }), sure: true }));
  const mentions = eachOnce([...links, ...parseMentions(text, (id) => deps.resources.has(id))]);
  if (mentions.length === 0) return [];
  const lookup: Lookup = { ...deps, mayShow: await deps.readGuard(), signal, progress };
  const looked = await Promise.allSettled(mentions.slice(0, MAX_MENTIONS).map((mention) => attach(mention, lookup)));
  signal.throwIfAborted();
  const failures = looked.flatMap((each) => (each.status === 'rejected' ? [errorMessage(each.reason)] : []));
  if (failures.length > 0) throw new Error([...failures, t('Remove the mention, or try again.')].join('\n'));
  const found = looked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const room = { characters: MAX_CHARACTERS, bytes: MAX_IMAGES_BYTES };
  const blocks = found.flatMap((part, index) => withinRoom(part, room) ?? [leftOut(mentions[index])]);
  const rest = mentions.length - MAX_MENTIONS;
  return rest > 0 ? [...blocks, attachedBlock({ name: `${rest} more not attached`, text: `Only the first ${MAX_MENTIONS} mentions were looked up.` })] : blocks;
}

/** Words with an `@` can mention what is linked, with what is less sure of a path. */
function eachOnce(mentions: readonly Mention[]): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const mention of mentions) {
    const key = JSON.stringify(mention.kind === 'path' ? { path: mention.path, lines: mention.lines } : mention);
    if (!found.has(key)) found.set(key, mention);
  }
  return [...found.values()];
}

async function attach(mention: Mention, lookup: Lookup): Promise<readonly UserContent[]> {
  try {
    return await lookUp(mention, lookup);
  } catch (error) {
    lookup.signal.throwIfAborted();
    if (mention.kind === 'resource') throw new Error(t('{0} could not be read. {1}', lookup.resources.nameOf(mention), errorMessage(error)), { cause: error });
    return [attachedBlock({ name: `${nameOf(mention)} (not attached)`, text: errorMessage(error) })];
  }
}

async function lookUp(mention: Mention, lookup: Lookup): Promise<readonly UserContent[]> {
  switch (mention.kind) {
    case 'path':
      // A word behind an `@` need not be meant as a file.
      if (!mention.sure && !(await exists(mention.path, lookup))) return [];
      return attachFile(mention, lookup);
    case 'symbol':
      return attachSymbol(mention.name, lookup);
    case 'url':
      return [attachedBlock({ name: mention.url, text: `Address: ${mention.url}\nIts page is not included. Fetch it with the tool fetch when it is needed.` })];
    case 'resource':
      return lookup.resources.attach(mention, lookup);
    case 'problems':
      return attachProblems(mention, lookup);
    case 'editors':
      return attachEditors(lookup);
    case 'terminal':
      return attachTerminal(lookup);
    case 'changes':
      return attachChanges(lookup);
    default:
      return assertNever(mention);
  }
}

/** The blocks where there is room for them, which they take; `undefined` where there is not. */
function withinRoom(blocks: readonly UserContent[], room: { characters: number; bytes: number }): readonly UserContent[] | undefined {
  const characters = blocks.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0);
  const bytes = blocks.reduce((sum, block) => sum + (block.type === 'image' ? block.data.length : 0), 0);
  if (characters > room.characters || bytes > room.bytes) return undefined;
  room.characters -= characters;
  room.bytes -= bytes;
  return blocks;
}

function leftOut(mention: Mention | undefined): UserContent {
  const name = mention === undefined ? '' : nameOf(mention);
  return attachedBlock({
    name: `${name} (only the name)`,
    text: `${name} is left out, since the message has too much attached already. Read it when it is needed.`,
  });
}

function nameOf(mention: Mention): string {
  switch (mention.kind) {
    case 'path':
      return showName(mention.path);
    case 'symbol':
      return `#${showName(mention.name)}`;
    case 'url':
      return mention.url;
    case 'resource':
      return `${mention.server}:${showName(mention.uri)}`;
    default:
      return mention.kind;
  }
}

/** Places that are named. */
const MAX_PLACES = 20;
/** Lines that are shown of the first place. */
const SHOWN_LINES = 60;

/** Attaches where a symbol of the workspace is, and the lines at the best of those places. */
async function attachSymbol(name: string, lookup: Lookup): Promise<readonly UserContent[]> {
  const found = await lookup.symbols.search(name, lookup.signal);
  const places = (await Promise.all(found.map((place) => visible(place, lookup)))).flat().sort((a, b) => rank(a, name) - rank(b, name));
  const [best] = places;
  if (best === undefined) return [attachedBlock({ name: `#${showName(name)} (not found)`, text: `No language server knows a symbol ${showName(name)}.` })];
  const lines = places.slice(0, MAX_PLACES).map(({ display, line, name: called = name, kind = 'symbol' }) => `${display}:${line} ${called} (${kind})`);
  const more = places.length > MAX_PLACES ? [`[and ${count(places.length - MAX_PLACES, 'place')} more]`] : [];
  const source = await attachFile({ path: best.path, lines: { first: best.line, last: best.line + SHOWN_LINES - 1 } }, lookup);
  return [attachedBlock({ name: `#${showName(name)}`, text: [...lines, ...more].join('\n') }), ...source];
}

async function visible(place: SymbolPlace, lookup: Lookup): Promise<readonly (SymbolPlace & { readonly display: string })[]> {
  const location = await lookup.workspace.locate(place.path);
  return keptBack(location, lookup) === undefined ? [{ ...place, display: showName(location.display) }] : [];
}

/** Servers look for parts of names: the one with just this name comes first. */
function rank(place: SymbolPlace, name: string): number {
  const last = (place.name ?? '').split(/[.:]+/).at(-1) ?? '';
  if (last === name || place.name === name) return 0;
  return last.toLowerCase() === name.toLowerCase() ? 1 : 2;
}

/** Files whose changes are compared; the others are named. */
const MAX_FILES = 300;

/** Attaches what the working tree changed since the last commit, as git sees it, of each folder of the workspace. */
async function attachChanges(lookup: Lookup): Promise<readonly UserContent[]> {
  if (!lookup.trusted())
    return [attachedBlock({ name: 'changes (not in an untrusted workspace)', text: 'Git is not run in a workspace that is not trusted.' })];
  const folders = lookup.workspace.folders();
  if (folders.length === 0) return [attachedBlock({ name: 'no changes', text: 'No folder is open.' })];
  return (await Promise.all(folders.map(({ path }) => changesIn(path, lookup)))).flat();
}

async function changesIn(folder: string, lookup: Lookup): Promise<readonly UserContent[]> {
  try {
    const changed = await changedNames(folder, 'all');
    const added = await newNames(folder);
    const shown = await onlyVisible(changed.slice(0, MAX_FILES), folder, lookup);
    const diff = await diffOf(folder, 'all', shown);
    const total = changed.length + added.length;
    return [
      attachedBlock({
        name: total === 0 ? 'no changes' : `changes in ${count(total, 'file')}`,
        text: report({ diff, added, hidden: changed.length - shown.length }),
      }),
    ];
  } catch (error) {
    return [attachedBlock({ name: 'changes (not known)', text: `Git could not tell what was changed: ${errorMessage(error)}` })];
  }
}

async function onlyVisible(names: readonly string[], folder: string, lookup: Lookup): Promise<readonly string[]> {
  const checked = await Promise.all(
    names.map(async (name) => (keptBack(await lookup.workspace.locate(join(folder, name)), lookup) === undefined ? [name] : [])),
  );
  return checked.flat();
}

function report(changes: ReportedChanges): string {
  const told = diffReport(changes);
  return told === '' ? 'Nothing was changed since the last commit.' : told;
}
