import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorMessage } from '../../domain/errors.js';
import { fileErrorCode } from '../../domain/workspace/file-layer.js';
import { exportJson, exportMarkdown } from '../../session/export/markdown.js';
import { redactSession } from '../../session/export/redact-session.js';
import { redact } from '../../text/redact.js';
import { Impossible } from '../exit.js';
import { shown, shownJson } from '../shown.js';
import type { ExportWish } from './command-line.js';
import { type Desk, readSession } from './desk.js';

/** Writes a session to standard output or to a file, as a window exports it. */
export async function exportSession(beginning: string, { json, file, force, secrets }: ExportWish, desk: Desk): Promise<void> {
  const {
    found: { title },
    stored: { session, meta },
  } = await readSession(beginning, desk);
  const clean = secrets ? (text: string): string => text : (text: string): string => redact(text);
  const told = secrets ? session : redactSession(session, clean);
  const bytes = json ? exportJson(told) : Buffer.from(exportMarkdown(told, { ...meta, title: clean(title) }), 'utf8');
  if (file !== undefined) return save(resolve(desk.folder, file), bytes, { force, desk });
  const { output } = desk.streams;
  if (output.isTTY !== true) {
    output.write(bytes);
    return;
  }
  const text = Buffer.from(bytes).toString('utf8');
  output.write(`${(json ? shownJson(text) : shown(text)).trimEnd()}\n`);
}

async function save(path: string, bytes: Uint8Array, { force, desk }: { readonly force: boolean; readonly desk: Desk }): Promise<void> {
  try {
    // Only the user reads it: what was said can be private.
    await writeFile(path, bytes, { flag: force ? 'w' : 'wx', mode: 0o600 });
  } catch (error) {
    if (fileErrorCode(error) === 'EEXIST') throw new Impossible(`${path} is there already. To overwrite it: --force`);
    throw new Impossible(`${path} could not be written: ${errorMessage(error)}`);
  }
  desk.terminal.line(`Written to ${shown(path)}`);
}
