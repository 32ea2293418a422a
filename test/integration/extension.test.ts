import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly supported: unknown; readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope: string }>> };
  };
}

describe('the extension', () => {
  const extension = vscode.extensions.getExtension<undefined>('gnomon.gnomon');
  const manifest = extension?.packageJSON as Manifest;

  it('is activated and registers every command of its manifest', async () => {
    await extension?.activate();
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { command, category } of manifest.contributes.commands) {
      assert.ok(known.has(command), command);
      assert.equal(category, 'Gnomon');
    }
  });

  it('conf-04: keeps every setting out of the reach of a workspace, but for lists of rules, which count only in a trusted one', () => {
    const rules = ['gnomon.permissions.allow', 'gnomon.permissions.ask', 'gnomon.permissions.deny'];
    for (const [name, property] of Object.entries(manifest.contributes.configuration.properties)) {
      assert.equal(property.scope, rules.includes(name) ? 'resource' : 'application', name);
    }
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, rules);
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, 'limited');
  });

  it('asks for no proposed API', () => {
    assert.equal(Reflect.get(manifest, 'enabledApiProposals'), undefined);
  });

  it('opens the chat and stops without a turn', async () => {
    await vscode.commands.executeCommand('gnomon.focusChat');
    await vscode.commands.executeCommand('gnomon.newSession');
    await vscode.commands.executeCommand('gnomon.stop');
  });

  it('S-05: explains settings of VS Code by their keys, with who set them, and names the nearest for others', async () => {
    const explain = (key: string) =>
      vscode.commands.executeCommand<{
        readonly key: string;
        readonly value: unknown;
        readonly file?: string;
        readonly overridden: readonly { readonly value?: unknown; readonly why: string }[];
      }>('gnomon.explainSetting', key);
    const settings = vscode.workspace.getConfiguration('gnomon');
    await settings.update('outputStyle', 'Terse', vscode.ConfigurationTarget.Global);
    await settings.update('permissions.deny', ['Read(private/**)'], vscode.ConfigurationTarget.Workspace);
    try {
      for (const name of Object.keys(manifest.contributes.configuration.properties).slice(0, 12)) {
        const { key, value } = await explain(name);
        assert.deepEqual([key, value], [name, vscode.workspace.getConfiguration().get(name)]);
      }
      const { value, file, overridden } = await explain('outputStyle');
      assert.deepEqual([value, file, overridden], ['Terse', 'gnomon.outputStyle', []]);
      assert.equal((await explain('deny Read(private/**)')).file, 'gnomon.permissions.deny');
      await assert.rejects(async () => explain('gnomon.outputStile'), /Did you mean “gnomon\.outputStyle”\?/);
    } finally {
      await settings.update('outputStyle', undefined, vscode.ConfigurationTarget.Global);
      await settings.update('permissions.deny', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('names itself in every entry at the light bulb, in both languages, so that none is taken for another extension’s', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content: 'first line\nsecond line\n' });
    const problems = vscode.languages.createDiagnosticCollection('test');
    const [line, nothing] = [new vscode.Range(0, 0, 1, 0), new vscode.Range(1, 3, 1, 3)];
    problems.set(document.uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 5), 'It is the first.')]);
    const german = JSON.parse(readFileSync(join(extension?.extensionPath ?? '', 'l10n/bundle.l10n.de.json'), 'utf8')) as Readonly<Record<string, string>>;
    try {
      const offered = await offeredAt(document, line);
      for (const { title } of offered)
        assert.deepEqual(
          [title, german[title]].map((each) => each?.includes('Gnomon')),
          [true, true],
          title,
        );
      assert.deepEqual(
        offered.map(({ kind, command }) => [kind?.value, command?.command.replace('gnomon.', '')]),
        [
          ...['fix', 'addToChat'].map((name) => ['quickfix', name]),
          ...['editHere', 'explain', 'document', 'writeTests', 'refactor', 'reviewSelection'].map((name) => ['refactor.rewrite', name]),
        ],
      );
      assert.deepEqual(await offeredAt(document, nothing), []);
    } finally {
      problems.dispose();
    }
  });

  /** What Gnomon offers at the light bulb of a place. */
  async function offeredAt({ uri }: vscode.TextDocument, range: vscode.Range): Promise<readonly vscode.CodeAction[]> {
    const all = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range);
    return all.filter(({ command }) => command?.command.startsWith('gnomon.') === true);
  }
});
