import assert from 'node:assert/strict';
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
});
