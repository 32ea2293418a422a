import { shownJson, shownLine } from '../shown.js';
import { commandAbout } from '../storage/find-session.js';
import { listSessions, listTrash, type PlacedSession, type PlacedTrash } from '../storage/session-places.js';
import type { Desk } from './desk.js';
import { ageOf, costOf } from './words.js';

/** What a list is about. */
interface ListWish {
  /** Whether it is one JSON object a line. */
  readonly json: boolean;
  readonly trash: boolean;
}

/** Lists the sessions of the folder, or those in the trash, the newest first. */
export async function showList({ json, trash }: ListWish, desk: Desk): Promise<void> {
  const { streams, terminal, places } = desk;
  const [objects, rows] = trash ? trashRows(await listTrash(places)) : sessionRows(await listSessions(places));
  if (json) for (const object of objects) streams.output.write(`${shownJson(JSON.stringify(object))}\n`);
  else if (objects.length === 0) terminal.line(await emptyWords(trash, desk));
  else streams.output.write(table(rows, streams.output.isTTY === true ? streams.output.columns : undefined));
}

type Rows = readonly [objects: readonly object[], rows: readonly (readonly string[])[]];

function sessionRows(sessions: readonly PlacedSession[]): Rows {
  const now = Date.now();
  const rows = sessions.map((session) => {
    const { id, title, updatedAt, messageCount, costUsd } = session;
    return [id, ageOf(updatedAt, now), String(messageCount), costOf(costUsd), `${marksOf(session)}${shownLine(title)}`];
  });
  return [sessions.map(({ place: _, ...summary }) => summary), [['ID', 'AGE', 'MESSAGES', 'COST', 'TITLE'], ...rows]];
}

function trashRows(sessions: readonly PlacedTrash[]): Rows {
  const now = Date.now();
  const rows = sessions.map(({ id, title, trashedAt }) => [id, ageOf(trashedAt, now), shownLine(title)]);
  return [sessions.map(({ place: _, ...session }) => session), [['ID', 'DELETED', 'TITLE'], ...rows]];
}

/** What must be seen of a session before its title, which may be long. */
function marksOf({ elsewhere, problem, pinned }: PlacedSession): string {
  const marks = [
    ...(problem === undefined ? [] : [`[damaged: ${shownLine(problem)}] `]),
    ...(elsewhere === true ? ['[open elsewhere] '] : []),
    ...(pinned === true ? ['[pinned] '] : []),
  ];
  return marks.join('');
}

/** Rows with their columns below one another. @param width columns that there are; the last one is cut at it */
function table(rows: readonly (readonly string[])[], width: number | undefined): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '));
  return `${lines.map((line) => cut(line, width)).join('\n')}\n`;
}

function cut(line: string, width: number | undefined): string {
  return width === undefined || line.length < width ? line : `${line.slice(0, Math.max(20, width - 2)).toWellFormed()}…`;
}

async function emptyWords(trash: boolean, { places, folder }: Desk): Promise<string> {
  if (trash) return 'The trash is empty.';
  const deleted = (await listTrash(places)).length;
  const start = `gnomon ${places[0]?.kind === 'vscode' ? '--session-storage vscode ' : ''}-p "Explain this project"`;
  const more = deleted === 0 ? '' : ` In the trash: ${deleted}. To see them: ${commandAbout(places[0], 'list --trash')}`;
  return `There are no sessions of ${shownLine(folder)} yet. Start one with: ${start}${more}`;
}
