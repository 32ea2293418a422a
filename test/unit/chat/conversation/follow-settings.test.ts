import { beforeEach, describe, expect, it } from 'vitest';
import { Signal } from '../../../../src/concurrency/signal.js';
import type { ThinkingEffort } from '../../../../src/domain/model/effort.js';
import type { Message } from '../../../../src/domain/model/message.js';
import type { ModelInfo, Provider } from '../../../../src/domain/model/provider.js';
import type { PermissionMode } from '../../../../src/domain/tool/permission.js';
import { followSettings } from '../../../../src/chat/conversation/follow-settings.js';
import { eventually } from '../../../support/eventually.js';
import { TEST_MODEL } from '../../../support/scripted-provider/index.js';

const PROVIDER = {} as Provider;
const named = (id: string): ModelInfo => ({ ...TEST_MODEL, id });

describe('S-06: a new chat follows the settings until its first message', () => {
  let session: { messages: Message[]; model: ModelInfo; mode: PermissionMode; effort: ThinkingEffort; agent: undefined };
  let wanted: { mode: PermissionMode; effort: ThinkingEffort; model: string };
  let failures: unknown[];
  let changed: Signal;
  let stop: () => void;
  const conversation = {
    setModel: (_provider: Provider, model: ModelInfo) => void (session.model = model),
    setMode: (mode: PermissionMode) => void (session.mode = mode),
    setEffort: (effort: ThinkingEffort) => void (session.effort = effort),
    get session() {
      return session;
    },
  };
  const now = (): readonly string[] => [session.mode, session.effort, session.model.id];

  beforeEach(() => {
    session = { messages: [], model: named('a'), mode: 'acceptEdits', effort: 'medium', agent: undefined };
    wanted = { mode: 'acceptEdits', effort: 'medium', model: 'a' };
    failures = [];
    changed = new Signal();
    const settings = { onDidChange: changed.subscribe, permissionMode: () => wanted.mode, thinkingEffort: () => wanted.effort };
    const chooseModel = (): Promise<{ provider: Provider; model: ModelInfo }> =>
      wanted.model === '' ? Promise.reject(new Error('no model')) : Promise.resolve({ provider: PROVIDER, model: named(wanted.model) });
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
