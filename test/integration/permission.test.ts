import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ruleProblems } from '../../src/permission/rules/rule-set.js';
import { Layers } from '../../src/customization/layers.js';
import { createRuleBook } from '../../src/consent/rules/create-rule-book.js';
import type { SettingsRuleBook } from '../../src/consent/rules/settings-rule-book.js';
import { createVsCodeRuleSettings, windowRules } from '../../src/vscode/permission/rules/vscode-rule-settings.js';
import { WINDOW } from '../../src/vscode/composition/window-ports.js';
import { MemoryApprovals } from '../support/memory-approvals.js';
import { waitFor } from '../vscode/wait.mjs';

const TEST = 'Bash(npm test:*)';
const CURL = 'Bash(curl:*)';
const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const workspaceFile = join(root, '.vscode', 'settings.json');

async function configure(name: string, value: unknown, target = vscode.ConfigurationTarget.Global): Promise<void> {
  await vscode.workspace.getConfiguration('gnomon.permissions').update(name, value, target);
}

/** A state in memory, as VS Code gives one to an extension. */
function memento(): vscode.Memento & { setKeysForSync(keys: readonly string[]): void } {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? (values.get(key) as T) : fallback) as T,
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
    setKeysForSync: () => undefined,
  };
}

interface Rules {
  readonly book: SettingsRuleBook;
  readonly refresh: () => Promise<void>;
  /** The rules that hold, such as `deny Bash(rm:*) user`. */
  readonly held: () => readonly string[];
  readonly userFile: string;
}

describe('rules of permission in the settings', () => {
  const disposables: vscode.Disposable[] = [];
  let storage: string;

  /** The rules as the extension makes them, with a state and a settings folder of its own. */
  function rules(): Rules {
    const globalStorage = join(storage, 'globalStorage', 'gnomon.gnomon');
    const ports = { ...WINDOW, memory: { global: memento(), workspace: memento() } };
    const log = { info: () => undefined, warn: () => undefined, error: (message: string, error?: unknown) => assert.fail(`${message} ${String(error)}`) };
    const layers = new Layers(WINDOW, log);
    disposables.push(layers);
    const rules = createRuleBook({
      ports,
      host: windowRules(globalStorage),
      globalStorage,
      layers,
      approvals: new MemoryApprovals(),
      check: ruleProblems,
      log,
    });
    disposables.push(rules);
    const { book, refresh } = rules;
    const held = (): readonly string[] => book.rules().map(({ effect, text, scope }) => `${effect} ${text} ${scope}`);
    return { book, refresh, held, userFile: join(storage, 'settings.json') };
  }

  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), 'gnomon-user-'));
    mkdirSync(dirname(workspaceFile), { recursive: true });
  });
  afterEach(async () => {
    for (const disposable of disposables.splice(0)) disposable.dispose();
    for (const effect of ['allow', 'ask', 'deny']) {
      await configure(effect, undefined);
      await configure(effect, undefined, vscode.ConfigurationTarget.Workspace);
    }
    rmSync(storage, { recursive: true, force: true });
  });

  it('are those of the person and of the workspace, and follow every change at once', async () => {
    const { held } = rules();
    assert.deepEqual(held(), []);
    await configure('deny', [CURL]);
    assert.deepEqual(held(), [`deny ${CURL} user`]);
    await configure('ask', [TEST], vscode.ConfigurationTarget.Workspace);
    assert.deepEqual([...held()].sort(), [`ask ${TEST} workspace`, `deny ${CURL} user`]);
    await configure('deny', undefined);
    assert.deepEqual(held(), [`ask ${TEST} workspace`]);
  });

  it('conf-04: a workspace that allows waits for consent, and does not replace what the person denies', async () => {
    const { book, held } = rules();
    await configure('deny', [CURL]);
    await configure('deny', [], vscode.ConfigurationTarget.Workspace);
    await configure('allow', ['Bash(*)'], vscode.ConfigurationTarget.Workspace);
    assert.deepEqual(held(), [`deny ${CURL} user`]);
    const [list] = book.listing().pending;
    assert.deepEqual(list?.rules, ['Bash(*)']);
    await book.agree(list);
    assert.deepEqual(held(), [`deny ${CURL} user`, 'allow Bash(*) workspace']);
    await configure('allow', ['Bash(*)', 'Edit'], vscode.ConfigurationTarget.Workspace);
    assert.deepEqual(held(), [`deny ${CURL} user`]);
  });

  it('conf-04: a workspace cannot set the mode', async () => {
    writeFileSync(workspaceFile, JSON.stringify({ 'gnomon.permissionMode': 'bypassPermissions', 'gnomon.permissions.ask': [TEST] }));
    const { held } = rules();
    await waitFor(() => held().length > 0, { what: 'the settings of the workspace', timeoutMs: 30_000 });
    assert.equal(vscode.workspace.getConfiguration('gnomon').get('permissionMode'), 'default');
    writeFileSync(workspaceFile, '{}');
    await waitFor(() => held().length === 0, { what: 'the settings to be empty again', timeoutMs: 30_000 });
  });

  it('are added where the person wants them, and hold at once', async () => {
    const { book, held } = rules();
    await book.add([TEST], 'user');
    await book.add(['Edit(src/**)'], 'workspace');
    await book.add([TEST, 'Bash(make:*)'], 'user');
    assert.deepEqual([...held()].sort(), ['allow Bash(make:*) user', `allow ${TEST} user`, 'allow Edit(src/**) workspace']);
    const written = JSON.parse(readFileSync(workspaceFile, 'utf8')) as Readonly<Record<string, unknown>>;
    assert.deepEqual(written['gnomon.permissions.allow'], ['Edit(src/**)']);
    for (const entry of book.listing().entries) await book.remove(entry);
    assert.deepEqual(held(), []);
  });

  it('S-07: are added to the file of this user alone, hold at once, and are removed from files without losing anything', async () => {
    const { book, held, refresh } = rules();
    const [own, shared] = [join(root, '.gnomon', 'settings.local.json'), join(root, '.claude', 'settings.json')];
    try {
      await book.add([TEST], 'local');
      assert.deepEqual(held(), [`allow ${TEST} local`]);
      assert.deepEqual(book.listing().pending, []);
      assert.equal(readFileSync(own, 'utf8'), `{\n  "permissions": {\n    "allow": [\n      "${TEST}"\n    ]\n  }\n}\n`);
      mkdirSync(dirname(shared), { recursive: true });
      const text = `{ // ours\r\n  "model": "x",\r\n  "permissions": { "deny": ["Read(.env)", "${CURL}"] } }`;
      writeFileSync(shared, text);
      await refresh();
      const found = book.listing().entries.find(({ rule }) => rule.text === CURL);
      assert.equal(found?.rule.file, '.claude/settings.json');
      await book.remove(found);
      assert.equal(readFileSync(shared, 'utf8'), text.replace(`, "${CURL}"`, ''));
      assert.deepEqual([...held()].sort(), [`allow ${TEST} local`, 'deny Read(.env) workspace']);
      writeFileSync(own, '{ "permissions": ');
      await refresh();
      await assert.rejects(book.insert('deny', [CURL], 'local'), /\.gnomon\/settings\.local\.json: Line 1: The file is not valid JSON/);
      assert.equal(readFileSync(own, 'utf8'), '{ "permissions": ');
    } finally {
      for (const path of [own, shared]) rmSync(path, { force: true });
      await refresh();
    }
  });

  it('conf-23: what is no list of rules is named, and holds the gate back', async () => {
    const { book, held } = rules();
    writeFileSync(
      workspaceFile,
      JSON.stringify({ 'gnomon.permissions.deny': 'Bash(rm:*)', 'gnomon.permissions.ask': [42, 'Bsh(x)'], 'gnomon.permissions.allow': 'Bash' }),
    );
    await waitFor(() => held().length === 3, { what: 'the settings of the workspace', timeoutMs: 30_000 });
    assert.deepEqual(held(), ['deny Bash(rm:*) workspace', 'ask (42) workspace', 'ask Bsh(x) workspace']);
    assert.equal(book.listing().problems.length, 4);
    writeFileSync(workspaceFile, '{}');
    await waitFor(() => held().length === 0, { what: 'the settings to be empty again', timeoutMs: 30_000 });
  });

  it('conf-23: a syntax error in the settings of the workspace or the person holds the gate back until it is repaired', async () => {
    const { refresh, held, userFile } = rules();
    await refresh();
    assert.deepEqual(held(), []);
    for (const file of [userFile, workspaceFile]) {
      writeFileSync(file, `{ "gnomon.permissions.deny": ["${CURL}" }`);
      await refresh();
      assert.ok(
        held().some((rule) => rule.startsWith('deny (There is a syntax error in')),
        held().join('\n'),
      );
      writeFileSync(file, '{}');
      await refresh();
    }
    await waitFor(() => held().length === 0, { what: 'the settings to be empty again', timeoutMs: 30_000 });
  });

  it('name one source for the person, and one for the only folder', () => {
    const places = createVsCodeRuleSettings()
      .sources()
      .map(({ place }) => place);
    assert.deepEqual(
      places.filter((place) => place !== 'machine'),
      ['user', 'workspace'],
    );
  });
});
