import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import type { StoredSession } from '../../../domain/session/session-store.js';
import { exportJson, exportMarkdown } from '../../../session/export/markdown.js';
import { type Redact, redactSession } from '../../../session/export/redact-session.js';

/** The forms in which a conversation can be exported. */
export type ExportFormat = 'markdown' | 'json';

/** Export format of a conversation, as the user chooses it. */
export interface ExportChoice {
  readonly format: ExportFormat;
  /** Whether what looks like a secret is replaced. */
  readonly redacted: boolean;
}

const ENDINGS: Readonly<Record<ExportFormat, string>> = { markdown: 'md', json: 'json' };
const FILTERS: Readonly<Record<ExportFormat, Record<string, string[]>>> = { markdown: { Markdown: ['md'] }, json: { JSON: ['json'] } };
/** Characters of a title that a file name begins with. */
const MAX_NAME = 60;

interface FormatItem extends vscode.QuickPickItem {
  readonly format?: ExportFormat;
}

/** Asks how to export; `undefined` when the user backs out. */
export function askHowToExport(): Promise<ExportChoice | undefined> {
  const pick = vscode.window.createQuickPick<FormatItem>();
  let redacted = true;
  Object.assign(pick, { title: t('Export Chat'), placeholder: t('Select a format'), items: formatItems(redacted) });
  return new Promise((resolve) => {
    const done = (choice: ExportChoice | undefined): void => {
      resolve(choice);
      pick.dispose();
    };
    pick.onDidAccept(() => {
      const format = pick.selectedItems[0]?.format;
      if (format !== undefined) {
        done({ format, redacted });
        return;
      }
      redacted = !redacted;
      pick.items = formatItems(redacted);
      pick.activeItems = pick.items.slice(-1);
    });
    pick.onDidHide(() => done(undefined));
    pick.show();
  });
}

function formatItems(redacted: boolean): readonly FormatItem[] {
  const markdown: FormatItem = { label: 'Markdown', description: t('Human-readable'), format: 'markdown' };
  const json: FormatItem = { label: 'JSON', description: t('Can be imported again'), format: 'json' };
  const icon = redacted ? '$(check)' : '$(circle-large-outline)';
  const secrets = { label: `${icon} ${t('Redact likely secrets')}`, description: redacted ? t('On') : t('Off') };
  return [markdown, json, { label: '', kind: vscode.QuickPickItemKind.Separator }, secrets];
}

/** Asks for a file and writes a conversation to it. Returns the file; `undefined` when the user backs out. */
export async function exportSession(
  { session, meta }: StoredSession,
  title: string,
  { format, redacted }: ExportChoice,
  redact: Redact,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${fileName(title)}.${ENDINGS[format]}`;
  const target = await vscode.window.showSaveDialog({
    title: t('Export Chat'),
    filters: FILTERS[format],
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (target === undefined) return undefined;
  const shown = redacted ? redactSession(session, redact) : session;
  const named = { ...meta, title: redacted ? redact(title) : title };
  const bytes = format === 'json' ? exportJson(shown) : new TextEncoder().encode(exportMarkdown(shown, named));
  await vscode.workspace.fs.writeFile(target, bytes);
  return target;
}

/** A name that every file system takes. */
function fileName(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'session' : name.toWellFormed();
}
