import { beforeEach, describe, expect, it } from 'vitest';
import { modeChoices } from '../../../../src/chat/pane/choices.js';
import { Signal } from '../../../../src/concurrency/signal.js';
import type { ThinkingEffort } from '../../../../src/domain/model/effort.js';
import type { Message } from '../../../../src/domain/model/message.js';
import type { ModelInfo, Provider } from '../../../../src/domain/model/provider.js';
import { PERMISSION_MODES, type PermissionMode } from '../../../../src/domain/tool/permission.js';
import { followBypass, followSettings } from '../../../../src/chat/conversation/follow-settings.js';
import { eventually } from '../../../support/eventually.js';
import { TEST_MODEL } from '../../../support/scripted-provider/index.js';
import type { ModelChoice } from '../../../../src/domain/model/model-choice.js';

const PROVIDER = {} as Provider;
const named = (id: string): ModelInfo => ({ ...TEST_MODEL, id });

describe('S-06: a new chat follows the settings until its first message', () => {
  let session: { messages: Message[]; model: ModelInfo; mode: PermissionMode; effort: ThinkingEffort; agent: undefined; auto: { choice: ModelChoice } };
  let wanted: { mode: PermissionMode; effort: ThinkingEffort; model: string };
  let failures: unknown[];
  let changed: Signal;
  let stop: () => void;
  const conversation = {
    setModel: (_provider: Provider, model: ModelInfo, choice: ModelChoice = { type: 'pinned', key: model.id }) =>
      void Object.assign(session, { model, auto: { choice } }),
    setMode: (mode: PermissionMode) => void (session.mode = mode),
    setEffort: (effort: ThinkingEffort) => void (session.effort = effort),
    get session() {
      return session;
    },
  };
  const now = (): readonly string[] => [session.mode, session.effort, session.model.id];

  beforeEach(() => {
    session = { messages: [], model: named('a'), mode: 'acceptEdits', effort: 'medium', agent: undefined, auto: { choice: { type: 'default' } } };
    wanted = { mode: 'acceptEdits', effort: 'medium', model: 'a' };
    failures = [];
    changed = new Signal();
    const settings = { onDidChange: changed.subscribe, permissionMode: () => wanted.mode, thinkingEffort: () => wanted.effort };
    const chooseModel = (): Promise<{ provider: Provider; model: ModelInfo; choice: ModelChoice }> =>
      wanted.model === ''
        ? Promise.reject(new Error('no model'))
        : Promise.resolve({ provider: PROVIDER, model: named(wanted.model), choice: { type: 'default' } });
    stop = followSettings(conversation, {
      settings,
      chooseModel,
      startingMode: (mode) => (mode === 'bypassPermissions' ? 'default' : mode),
      failed: (error) => failures.push(error),
    });
  });

  it('with its mode, effort, and model, as often as they change', async () => {
    Object.assign(wanted, { mode: 'plan', effort: 'high', model: 'b' });
    changed.emit();
    await eventually(() => expect(now()).toEqual(['plan', 'high', 'b']));
    Object.assign(wanted, { mode: 'bypassPermissions', model: 'c' });
    changed.emit();
    await eventually(() => expect(now()).toEqual(['default', 'high', 'c']));
  });

  it('and keeps what the user has chosen in it, also when the settings come to want the same for a while', async () => {
    Object.assign(session, { mode: 'plan', effort: 'low', model: named('mine') });
    for (const mode of ['plan', 'acceptEdits'] as const) {
      Object.assign(wanted, { mode, effort: 'low', model: 'mine' });
      changed.emit();
      await Promise.resolve();
    }
    Object.assign(wanted, { mode: 'acceptEdits', effort: 'max', model: 'other' });
    changed.emit();
    await new Promise((resolve) => setImmediate(resolve));
    expect(now()).toEqual(['plan', 'low', 'mine']);
  });

  it('and no longer, nor after it was closed', async () => {
    Object.assign(wanted, { mode: 'plan', model: 'b' });
    session.messages = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] } as unknown as Message];
    changed.emit();
    await new Promise((resolve) => setImmediate(resolve));
    session.messages = [];
    stop();
    changed.emit();
    await new Promise((resolve) => setImmediate(resolve));
    expect(now()).toEqual(['acceptEdits', 'medium', 'a']);
  });

  it('and says when there is no model', async () => {
    wanted.model = '';
    changed.emit();
    await eventually(() => expect(failures).toEqual([new Error('no model')]));
  });
});

describe('S-02: where settings disable the mode that bypasses permissions', () => {
  it.each(PERMISSION_MODES)('a chat in the mode %s has it no longer, and says so once', (first) => {
    const session: { mode: PermissionMode } = { mode: first };
    const told: string[] = [];
    const changed = new Signal();
    const settings: { by?: string } = {};
    const bypass = { disabledBy: () => settings.by, onDidChange: changed.subscribe };
    const stop = followBypass({ session, setMode: (mode) => void (session.mode = mode), notify: ({ text }) => void told.push(text) }, bypass);
    changed.emit();
    expect(session.mode).toBe(first);
    settings.by = '.claude/settings.json';
    changed.emit();
    changed.emit();
    const isBypass = first === 'bypassPermissions';
    expect([session.mode, told]).toEqual([
      isBypass ? 'acceptEdits' : first,
      isBypass ? ['The mode “Bypass permissions” is disabled in .claude/settings.json. This chat continues in the mode “Accept edits”.'] : [],
    ]);
    stop();
    session.mode = 'bypassPermissions';
    changed.emit();
    expect(session.mode).toBe('bypassPermissions');
  });

  it('it is listed with who disables it, and cannot be chosen', () => {
    expect(modeChoices().filter(({ disabled }) => disabled === true)).toEqual([]);
    expect(modeChoices('.claude/settings.json').filter(({ disabled }) => disabled === true)).toEqual([
      { id: 'bypassPermissions', label: 'Bypass permissions', description: 'This mode is disabled in .claude/settings.json.', disabled: true },
    ]);
  });
});
