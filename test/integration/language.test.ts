import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isAbortError } from '../../src/domain/errors.js';
import type { ToolResult } from '../../src/domain/tool/tool.js';
import { OpenQuestions } from '../../src/chat/conversation/conversation.js';
import { createVsCodeDiagnostics } from '../../src/vscode/language/diagnostics.js';
import { windowToolbox } from './window-toolbox.js';

const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'language');
/** Only files of this ending, so that no other language server has a say. */
const SELECTOR: vscode.DocumentSelector = { pattern: '**/*.symtest' };

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function call(name: string, args: object, signal = new AbortController().signal): Promise<string> {
  const context = { signal, sessionId: 's', callId: 'c', output: () => undefined };
  const toolbox = windowToolbox(join(folder, 'logs'));
  const tool = toolbox.toolsForSession(new OpenQuestions()).find(({ spec }) => spec.name === name);
  assert.ok(tool);
  try {
    return textOf(await tool.execute(await tool.plan(args, context), context));
  } finally {
    toolbox.dispose();
  }
}

function textOf(result: ToolResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

describe('what language servers know', () => {
  const disposables: { dispose(): unknown }[] = [];
  const outside = mkdtempSync(join(tmpdir(), 'gnomon-outside-'));

  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });
  afterEach(() => {
    for (const each of disposables.splice(0)) each.dispose();
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
    rmSync(outside, { recursive: true, force: true });
  });

  /** A linter that notes a problem for every line with "bad" of the files that somebody opened. */
  function lint(): void {
    const collection = vscode.languages.createDiagnosticCollection('linter');
    const look = (document: vscode.TextDocument): void => {
      if (!document.uri.fsPath.endsWith('.symtest')) return;
      const lines = document.getText().split('\n');
      const found = lines.flatMap((line, index) => {
        if (!line.includes('bad')) return [];
        const range = new vscode.Range(index, line.indexOf('bad'), index, line.length);
        const problem = new vscode.Diagnostic(range, `${line.trim()} is bad`, vscode.DiagnosticSeverity.Warning);
        Object.assign(problem, { source: 'linter', code: 'no-bad' });
        return [problem];
      });
      collection.set(document.uri, found);
    };
    disposables.push(
      collection,
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    );
  }

  it('diagnostics: a file that nobody opened is opened, so that servers look at it', async () => {
    lint();
    const path = file('a.symtest', 'good\n  bad thing\n');
    assert.equal(await call('diagnostics', { path }), '1 warning\nlanguage/a.symtest:2:3 warning: bad thing is bad (linter no-bad)');
    assert.match(await call('diagnostics', { path: 'language' }), /^1 warning\n/);
    assert.match(await call('diagnostics', {}), /language\/a\.symtest:2:3 warning/);
  });

  it('diagnostics: a file without problems, and one that is no text, are not waited for beyond the limit', async () => {
    assert.equal(await call('diagnostics', { path: file('b.symtest', 'good\n') }), 'No problems are known.');
    assert.equal(await call('diagnostics', { path: file('c.bin', '\0\x01\x02') }), 'No problems are known.');
  });

  it('diagnostics: waiting ends at once when it is stopped', async () => {
    const controller = new AbortController();
    const settled = createVsCodeDiagnostics().settled(file('d.symtest', 'good\n'), controller.signal);
    controller.abort();
    await assert.rejects(settled, isAbortError);
  });

  it('symbols: definitions come in both forms; outside the workspace the place only (path-14)', async () => {
    const path = file('use.symtest', 'call(target);\n');
    const target = file('target.symtest', '\n\nlet target = 1;\n');
    const secret = join(outside, 'secret.symtest');
    writeFileSync(secret, 'SECRET\n');
    const range = new vscode.Range(2, 4, 2, 10);
    disposables.push(
      vscode.languages.registerDefinitionProvider(SELECTOR, {
        provideDefinition: (_, { character }) =>
          character === 5 ? [{ targetUri: vscode.Uri.file(target), targetRange: new vscode.Range(0, 0, 3, 0), targetSelectionRange: range }] : [],
      }),
      vscode.languages.registerDefinitionProvider(SELECTOR, {
        provideDefinition: () => new vscode.Location(vscode.Uri.file(secret), new vscode.Position(0, 0)),
      }),
    );
    const text = await call('symbols', { action: 'definition', path, line: 1, name: 'target' });
    assert.equal(text, `language/target.symtest\n3:let target = 1;\n${secret}:1 (outside the workspace)`);
  });

  it('symbols: references with their lines, unsaved text included', async () => {
    const path = file('refs.symtest', 'alpha\nbeta alpha\n');
    const uri = vscode.Uri.file(path);
    disposables.push(
      vscode.languages.registerReferenceProvider(SELECTOR, {
        provideReferences: () => [new vscode.Location(uri, new vscode.Position(1, 5)), new vscode.Location(uri, new vscode.Position(0, 0))],
      }),
    );
    assert.equal(await call('symbols', { action: 'references', path, line: 1, name: 'alpha' }), 'language/refs.symtest\n1:alpha\n2:beta alpha');
  });

  it('symbols: the outline comes in both forms', async () => {
    const path = file('outline.symtest', 'class Gate\n  open\n');
    const gate = new vscode.DocumentSymbol('Gate', '', vscode.SymbolKind.Class, new vscode.Range(0, 0, 1, 6), new vscode.Range(0, 6, 0, 10));
    gate.children = [new vscode.DocumentSymbol('open', '', vscode.SymbolKind.Method, new vscode.Range(1, 2, 1, 6), new vscode.Range(1, 2, 1, 6))];
    const tree = vscode.languages.registerDocumentSymbolProvider(SELECTOR, { provideDocumentSymbols: () => [gate] });
    assert.equal(await call('symbols', { action: 'outline', path }), '1:class Gate\n2:method Gate.open');
    tree.dispose();
    const place = new vscode.Location(vscode.Uri.file(path), new vscode.Position(1, 2));
    const flat = [new vscode.SymbolInformation('open', vscode.SymbolKind.Method, 'Gate', place)];
    disposables.push(vscode.languages.registerDocumentSymbolProvider(SELECTOR, { provideDocumentSymbols: () => flat }));
    assert.match(await call('symbols', { action: 'outline', path }), /2:method (Gate\.)?open/);
  });

  it('symbols: names are searched in the workspace', async () => {
    const path = file('search.symtest', 'zanzibarQuux\n');
    disposables.push(
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) => {
          if (query !== 'zanzibar') return [];
          return [
            new vscode.SymbolInformation('zanzibarQuux', vscode.SymbolKind.Function, '', new vscode.Location(vscode.Uri.file(path), new vscode.Position(0, 0))),
          ];
        },
      }),
    );
    // All servers are asked, those that are still loading too, and that may take longer than the tool waits.
    await vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', 'zanzibar');
    assert.equal(await call('symbols', { action: 'search', name: 'zanzibar' }), 'language/search.symtest\n1:function zanzibarQuux');
  });

  it('symbols: a name that is not on the line is refused with the line', async () => {
    const path = file('line.symtest', 'alpha\n');
    assert.match(await call('symbols', { action: 'definition', path, line: 1, name: 'beta' }), /does not hold the name beta\. It reads: alpha/);
    assert.match(await call('symbols', { action: 'definition', path, line: 99, name: 'alpha' }), /there is no line 99/);
  });

  it('symbols: a server that never answers is not waited for once the call is stopped', async () => {
    const path = file('hang.symtest', 'alpha\n');
    const controller = new AbortController();
    disposables.push(
      vscode.languages.registerDefinitionProvider(SELECTOR, {
        provideDefinition: () => {
          controller.abort();
          return new Promise(() => undefined);
        },
      }),
    );
    await assert.rejects(call('symbols', { action: 'definition', path, line: 1, name: 'alpha' }, controller.signal), isAbortError);
  });
});
