import * as vscode from 'vscode';
import { type Finding, type FindingWords, inertMarkdown, type Severity } from '../../code-review/finding.js';
import { followed, type LineRegion, shiftOf } from '../../inline-edit/line-edit.js';
import { uriOf } from '../workspace/paths.js';
import { FINDING_SOURCE } from '../command-ids.js';
import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';

/** Id of our comments, as the manifest's menus name it. */
const ID = 'gnomon.findings';
/** Says that there are findings. */
const ANY = 'gnomon.hasFindings';

const SEVERITIES: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  // The Problems view leaves hints out.
  hint: vscode.DiagnosticSeverity.Information,
};

/** A finding that the user sees. */
export interface ShownFinding {
  /** Folder of the repository whose review found it. */
  readonly root: string;
  readonly finding: Finding;
  readonly uri: vscode.Uri;
  readonly thread: vscode.CommentThread;
  /** Its lines, wherever they are by now. */
  region: LineRegion;
  /** Its lines are being changed, so they may disappear and come back. */
  held: boolean;
}

/** The findings of this window: in the Problems view and as comments at their lines. */
export class ShownFindings implements vscode.Disposable {
  private readonly diagnostics = vscode.languages.createDiagnosticCollection('gnomon-review');
  private controller: vscode.CommentController | undefined;
  private readonly all = new Set<ShownFinding>();
  private readonly watching = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((event) => this.follow(event)),
    vscode.workspace.onDidDeleteFiles(({ files }) => this.remove(({ uri }) => files.some((file) => isBelow(uri, file)))),
  );

  /** Shows a finding. */
  add(root: string, finding: Finding): void {
    const uri = uriOf(finding.path);
    const region = { start: finding.start, end: finding.end };
    this.controller ??= vscode.comments.createCommentController(ID, FINDING_SOURCE);
    const thread = this.controller.createCommentThread(uri, rangeOf(uri, region), [findingComment(finding)]);
    thread.label = severityName(finding.severity);
    thread.canReply = false;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    this.all.add({ root, finding, uri, thread, region, held: false });
    this.showProblems(uri);
    this.mark();
  }

  /** Takes findings away. */
  remove(unwanted: (shown: ShownFinding) => boolean): void {
    const gone = [...this.all].filter(unwanted);
    for (const shown of gone) {
      this.all.delete(shown);
      shown.thread.dispose();
    }
    for (const uri of new Map(gone.map((shown) => [shown.uri.toString(), shown.uri])).values()) this.showProblems(uri);
    if (gone.length > 0) this.mark();
  }

  /** The finding that a thread or a quick fix is about. */
  find(argument: unknown): ShownFinding | undefined {
    return [...this.all].find((shown) => shown === argument || shown.thread === argument);
  }

  /** The findings that some problems of a file are those of. */
  ofProblems(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): readonly (readonly [ShownFinding, vscode.Diagnostic])[] {
    const here = [...this.all].filter((shown) => shown.uri.toString() === uri.toString());
    return problems.flatMap((problem) => {
      if (problem.source !== FINDING_SOURCE) return [];
      const shown = here.find(({ finding, region }) => messageOf(finding) === problem.message && region.start === problem.range.start.line);
      return shown === undefined ? [] : [[shown, problem] as const];
    });
  }

  dispose(): void {
    this.watching.dispose();
    this.controller?.dispose();
    this.diagnostics.dispose();
  }

  /** Keeps findings at their lines while the text around them changes. A finding whose lines are gone is removed. */
  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const here = [...this.all].filter(({ uri }) => uri.toString() === document.uri.toString());
    const moved = here.filter((shown) => {
      const { start, end } = shown.region;
      for (const { range, text } of contentChanges) shown.region = followed(shown.region, shiftOf({ start: range.start, end: range.end, text }));
      return shown.region.start !== start || shown.region.end !== end;
    });
    if (moved.length === 0) return;
    for (const shown of moved) shown.thread.range = rangeOf(document.uri, shown.region);
    this.showProblems(document.uri);
    this.remove((shown) => moved.includes(shown) && isGone(shown));
  }

  private showProblems(uri: vscode.Uri): void {
    const here = [...this.all].filter((shown) => shown.uri.toString() === uri.toString());
    this.diagnostics.set(
      uri,
      here.map(({ finding, region }) => problemOf(finding, rangeOf(uri, region))),
    );
  }

  private mark(): void {
    void vscode.commands.executeCommand('setContext', ANY, this.all.size > 0);
  }
}

/** Whether nothing is left of its lines, and they are not being changed. */
export function isGone({ held, region }: ShownFinding): boolean {
  return !held && region.start === region.end;
}

function problemOf(finding: Finding, range: vscode.Range): vscode.Diagnostic {
  const problem = new vscode.Diagnostic(range, messageOf(finding), SEVERITIES[finding.severity]);
  problem.source = FINDING_SOURCE;
  return problem;
}

function messageOf({ title, explanation }: Finding): string {
  return explanation === '' ? title : `${title}\n${explanation}`;
}

/** Lines as a range, without the white space before the first one where that is known. */
function rangeOf(uri: vscode.Uri, { start, end }: LineRegion): vscode.Range {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  const last = Math.max(start, end - 1);
  if (document === undefined || document.lineCount <= last) return new vscode.Range(start, 0, last, Number.MAX_SAFE_INTEGER);
  return new vscode.Range(start, document.lineAt(start).firstNonWhitespaceCharacterIndex, last, document.lineAt(last).range.end.character);
}

function isBelow({ path }: vscode.Uri, folder: vscode.Uri): boolean {
  return path === folder.path || path.startsWith(`${folder.path}/`);
}

/** Display name of a severity. */
function severityName(severity: Severity): string {
  switch (severity) {
    case 'error':
      return t('Error');
    case 'warning':
      return t('Warning');
    case 'info':
      return t('Info');
    case 'hint':
      return t('Hint');
    default:
      return assertNever(severity);
  }
}

/** A finding as the comment of a thread. Its text is that of a model, so all Markdown in it is escaped. */
function findingComment({ title, explanation, suggestion }: FindingWords): vscode.Comment {
  const parts = [
    `**${inertMarkdown(title)}**`,
    ...(explanation === '' ? [] : [inertMarkdown(explanation)]),
    ...(suggestion === '' ? [] : [`**${t('Suggestion')}**\n\n${inertMarkdown(suggestion)}`]),
  ];
  const body = new vscode.MarkdownString(parts.join('\n\n'));
  body.isTrusted = false;
  body.supportHtml = false;
  return { author: { name: 'Gnomon' }, body, mode: vscode.CommentMode.Preview };
}
