import { present } from '../../domain/present.js';
import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { Diagnostic, Diagnostics } from '../../domain/workspace/code-intelligence.js';
import { AbortError } from '../../domain/errors.js';
import { isWithin } from '../../node/files/within.js';
import { uriOf } from '../workspace/paths.js';

/** Longest wait for a server to look at a file, in milliseconds. */
const SETTLE_LIMIT_MS = 1_500;
/** The same for a language whose server has reported nothing in this window: most likely, no server is installed. */
const UNKNOWN_LIMIT_MS = 500;
/** Milliseconds without changes after which the diagnostics of a file count as settled. */
const REST_MS = 300;

const SEVERITIES: Readonly<Record<vscode.DiagnosticSeverity, Diagnostic['severity']>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

/** The problems that VS Code shows in its Problems view. Files on this machine only. */
export function createVsCodeDiagnostics(): Diagnostics & { dispose(): void } {
  const heardOf = new Set<string>();
  const note = (uris: readonly vscode.Uri[]): void => {
    for (const uri of uris) heardOf.add(extname(uri.path));
  };
  note(vscode.languages.getDiagnostics().map(([uri]) => uri));
  const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => note(uris));
  const limit = (path: string): number => (heardOf.has(extname(path)) ? SETTLE_LIMIT_MS : UNKNOWN_LIMIT_MS);
  return { current, settled: (path, signal) => settled(path, limit(path), signal), dispose: () => void subscription.dispose() };
}

function current(path?: string): readonly Diagnostic[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, found]) => {
    const wanted = uri.scheme === 'file' && (path === undefined || isWithin(path, uri.fsPath));
    return wanted ? found.map((each) => diagnosticOf(uri.fsPath, each)) : [];
  });
}

function diagnosticOf(path: string, { range, severity, message, source, code }: vscode.Diagnostic): Diagnostic {
  const id = typeof code === 'object' ? code.value : code;
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: SEVERITIES[severity],
    message,
    ...present({ source }),
    ...(id === undefined ? {} : { code: String(id) }),
  };
}

async function settled(path: string, limitMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new AbortError();
  const uri = uriOf(path);
  let tidy = (): void => undefined;
  const rest = new Promise<void>((resolve, reject) => {
    tidy = watch(uri, limitMs, { signal, resolve, reject });
    // Servers only look at open files. A file that is not text has no problems to wait for.
    vscode.workspace.openTextDocument(uri).then(undefined, () => resolve());
  });
  return rest.finally(tidy);
}

interface Watcher {
  readonly signal: AbortSignal;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Resolves when the problems of a file have changed and then rested, or after a limit.
 * @returns how to end the watch
 */
function watch(uri: vscode.Uri, limitMs: number, { signal, resolve, reject }: Watcher): () => void {
  const limit = setTimeout(resolve, limitMs);
  let rest: NodeJS.Timeout | undefined;
  const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (!uris.some((changed) => changed.fsPath === uri.fsPath)) return;
    clearTimeout(rest);
    rest = setTimeout(resolve, REST_MS);
  });
  const stop = (): void => reject(new AbortError());
  signal.addEventListener('abort', stop, { once: true });
  return () => {
    clearTimeout(limit);
    clearTimeout(rest);
    subscription.dispose();
    signal.removeEventListener('abort', stop);
  };
}
