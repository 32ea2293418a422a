import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { SETTING_KEYS } from '../../src/config/settings/setting-keys.js';
import { effectiveValues } from '../../src/customization/effective-values.js';
import { WINDOW } from '../../src/vscode/composition/window-ports.js';
import { Layers } from '../../src/customization/layers.js';
import { FileSettings } from '../../src/customization/settings.js';
import { VsCodeSettings } from '../../src/vscode/settings/vscode-settings.js';

/** Milliseconds within which a change of a file counts. */
const SOON_MS = 1_000;

describe('settings in files', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const project = join(root, '.gnomon', 'settings.json');
  let layers: Layers;
  let settings: FileSettings;

  beforeEach(async () => {
    mkdirSync(join(root, '.gnomon'), { recursive: true });
    writeFileSync(project, '{}');
    layers = new Layers(WINDOW, { info: () => undefined, warn: () => undefined, error: () => undefined });
    settings = new FileSettings(WINDOW, layers);
    await layers.read();
  });
  afterEach(async () => {
    settings.dispose();
    layers.dispose();
    rmSync(join(root, '.gnomon'), { recursive: true, force: true });
    await configure('gnomon.permissionMode', undefined);
    await configure('gnomon.maxTurns', undefined);
  });

  const configure = async (name: string, value: unknown): Promise<void> =>
    vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  /** Makes a change, and resolves with the milliseconds until the settings report it. */
  const reported = async (change: () => unknown): Promise<number> => {
    const start = performance.now();
    await new Promise<void>((resolve) => {
      const stop = settings.onDidChange(() => {
        stop();
        resolve();
      });
      void change();
    });
    return performance.now() - start;
  };

  it('S-06: a change of a file counts and is reported within a second, also of one that breaks it', async () => {
    const times: number[] = [];
    for (const maxTurns of [5, 4, 3])
      times.push(await reported(() => writeFileSync(project, JSON.stringify({ permissions: { defaultMode: 'plan' }, outputStyle: 'Brief', maxTurns }))));
    assert.deepEqual(
      [settings.permissionMode(), settings.outputStyles(), settings.caps()],
      ['plan', [{ name: 'Brief', file: '.gnomon/settings.json', ofRepository: true }], { maxTurns: 3 }],
    );
    // One may be late on a machine with much else to do.
    assert.ok(Math.min(...times) < SOON_MS, `${times.join(', ')} ms`);
    await reported(() => writeFileSync(project, '{ "outputStyle": "Brief"'));
    assert.deepEqual([settings.permissionMode(), settings.outputStyles(), settings.caps()], ['plan', [], { maxTurns: 3 }]);
    assert.equal(settings.problems[0]?.line, 1);
    await reported(() => writeFileSync(project, '{}'));
    assert.deepEqual([settings.permissionMode(), settings.caps(), settings.problems], ['default', {}, []]);
  });

  it('S-03: a file of the workspace only makes stricter what the user has set in VS Code', async () => {
    await configure('gnomon.permissionMode', 'acceptEdits');
    await configure('gnomon.maxTurns', 5);
    assert.deepEqual([settings.permissionMode(), settings.caps()], ['acceptEdits', { maxTurns: 5 }]);
    await reported(() =>
      writeFileSync(
        project,
        JSON.stringify({ permissions: { defaultMode: 'bypassPermissions' }, maxTurns: 9, providers: { spy: { baseUrl: 'https://spy.example' } } }),
      ),
    );
    assert.deepEqual([settings.permissionMode(), settings.caps(), settings.customProviders()], ['acceptEdits', { maxTurns: 5 }, {}]);
    await reported(() => writeFileSync(project, JSON.stringify({ permissions: { defaultMode: 'default' }, maxTurns: 2 })));
    assert.deepEqual([settings.permissionMode(), settings.caps()], ['default', { maxTurns: 2 }]);
  });

  it('S-02: a file of the workspace takes the mode that bypasses permissions away, as long as it says so', async () => {
    await configure('gnomon.permissionMode', 'bypassPermissions');
    assert.deepEqual([settings.permissionMode(), settings.bypassDisabledBy()], ['bypassPermissions', undefined]);
    await reported(() => writeFileSync(project, JSON.stringify({ permissions: { disableBypassPermissionsMode: 'disable' } })));
    assert.deepEqual([settings.permissionMode(), settings.bypassDisabledBy()], ['default', '.gnomon/settings.json']);
    // What can no longer be read keeps what it made stricter.
    await reported(() => writeFileSync(project, '{'));
    assert.deepEqual([settings.permissionMode(), settings.bypassDisabledBy()], ['default', '.gnomon/settings.json']);
    await reported(() => writeFileSync(project, '{}'));
    assert.deepEqual([settings.permissionMode(), settings.bypassDisabledBy()], ['bypassPermissions', undefined]);
  });

  it('S-05: every setting has what counts, who set it, and what lost and why', async () => {
    writeFileSync(project, '{\n  "maxTurns": 9,\n  "permissions": { "defaultMode": "plan" },\n  "model": "opus"\n}');
    await configure('gnomon.maxTurns', 5);
    await layers.read();
    const extension = vscode.extensions.getExtension('gnomon.gnomon');
    assert.ok(extension);
    const all = effectiveValues(WINDOW.settings, settings, extension);
    assert.ok(all.length > SETTING_KEYS.length && SETTING_KEYS.every(({ setting }) => all.some(({ key }) => key === setting)));
    const found = (name: string) => all.find(({ key }) => key === name);
    assert.deepEqual(found('gnomon.maxTurns'), {
      key: 'gnomon.maxTurns',
      value: 5,
      origin: { layer: 'user', file: 'gnomon.maxTurns', display: 'user settings' },
      overridden: [
        {
          origin: { layer: 'project', file: project, display: '.gnomon/settings.json', folder: root, line: 2 },
          value: 9,
          why: 'A workspace can only make this stricter than you have it.',
        },
      ],
    });
    assert.deepEqual(
      [found('gnomon.permissionMode')?.value, found('gnomon.permissionMode')?.origin?.line, found('gnomon.model')?.value, found('gnomon.model')?.origin?.line],
      ['plan', 3, 'opus', 4],
    );
    assert.deepEqual(found('gnomon.notifications'), { key: 'gnomon.notifications', value: 'needsYou', overridden: [] });
  });
});

describe('settings of VS Code', () => {
  it('are new for a listener that listens before they are first read', async () => {
    const settings = new VsCodeSettings();
    const read: unknown[] = [];
    const listening = vscode.workspace.onDidChangeConfiguration(() => read.push(settings.get('gnomon.colorChanges')));
    try {
      assert.equal(settings.get('gnomon.colorChanges'), true);
      await vscode.workspace.getConfiguration().update('gnomon.colorChanges', false, vscode.ConfigurationTarget.Global);
      assert.deepEqual(read, [false]);
    } finally {
      listening.dispose();
      await vscode.workspace.getConfiguration().update('gnomon.colorChanges', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
