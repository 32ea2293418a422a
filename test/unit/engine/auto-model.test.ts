import { expect, it } from 'vitest';
import { NoModelError, ProviderError } from '../../../src/domain/errors.js';
import { modelKey } from '../../../src/domain/model/model-key.js';
import type { ModelInfo } from '../../../src/domain/model/provider.js';
import type { RoutedModel, RoutedTask, Router, WorkModel } from '../../../src/domain/model/router.js';
import { answers, Latch, type ScriptedProvider, TEST_MODEL } from '../../support/scripted-provider/index.js';
import { type Rig, rig } from './rig.js';

const OTHER = { ...TEST_MODEL, id: 'model-2', label: 'Model 2' };
const hello = [{ type: 'text' as const, text: 'Hello' }];

/** A router that says what it is told to, and keeps what it was asked. */
class TestRouter implements Router {
  readonly tasks: RoutedTask[] = [];
  readonly heard: (readonly [key: string, well: boolean])[] = [];
  /** The model for other work. Default: that of the session. */
  worker: { readonly model?: ModelInfo } = {};
  answer: (task: RoutedTask) => Promise<RoutedModel> = () => Promise.reject(new Error('There is no answer.'));

  choose(task: RoutedTask): Promise<RoutedModel> {
    this.tasks.push(task);
    return this.answer(task);
  }

  forWork(_work: string, own: Pick<WorkModel, 'provider' | 'model'>): Promise<WorkModel> {
    return Promise.resolve({ ...own, ...this.worker, reason: 'It was chosen for that.' });
  }

  readonly waits = false;

  holds(): boolean {
    return true;
  }

  mayStandIn(): boolean {
    return true;
  }

  answered(key: string, well: boolean): void {
    this.heard.push([key, well]);
  }
}

function routed(
  ...scripts: readonly ConstructorParameters<typeof ScriptedProvider>[0][number][]
): Rig & { readonly router: TestRouter; readonly other: RoutedModel } {
  const router = new TestRouter();
  const all = rig({ choice: { type: 'auto' }, router, scripts });
  const routing = { type: 'kept', kind: 'debug', key: modelKey(OTHER), cachedTokens: 1 } as const;
  return { ...all, router, other: { routing, running: { provider: all.provider, model: OTHER }, suitable: [] } };
}

it('a message goes to the model that is chosen for it, which is told with its name, and stored', async () => {
  const { session, provider, router, other, events, recorder } = routed(answers('Hi.'));
  router.answer = () => Promise.resolve(other);
  await session.send(hello).turn;
  expect(provider.requests.map(({ model }) => model)).toEqual(['model-2']);
  expect(router.tasks).toMatchObject([{ words: 'Hello', planOnly: false, hasImages: false, current: { id: 'model-1' } }]);
  expect(router.heard).toEqual([['scripted/model-2', true]]);
  expect(events.map(({ type }) => type).slice(0, 4)).toEqual(['settings_changed', 'context', 'turn_started', 'routed']);
  expect(recorder.meta).toMatchObject({ model: 'scripted/model-2', modelChoice: 'auto', routings: { 0: { type: 'kept', kind: 'debug' } } });
});

it('R-03: a model that the user chooses while one is looked for is the one that is asked', async () => {
  const { session, provider, router, other } = routed(answers('Hi.'));
  const looking = new Latch();
  router.answer = async () => {
    await looking.pass();
    return other;
  };
  const { turn } = session.send(hello);
  session.setModel(provider, { ...TEST_MODEL, id: 'mine' });
  looking.open();
  await turn;
  expect(provider.requests.map(({ model }) => model)).toEqual(['mine']);
  expect(session.auto).toMatchObject({ choice: { type: 'pinned', key: 'scripted/mine' } });
});

it('R-15: what the user says about a task still counts when they stop while a model is looked for', async () => {
  const { session, router, other } = routed(answers('Hi.'), answers('Hi.'));
  router.answer = () => Promise.resolve(other);
  await session.send(hello).turn;
  expect(session.auto.correct(0, 'planning')).toBe(true);
  const looking = new Latch();
  router.answer = async () => {
    await looking.pass();
    return other;
  };
  const { turn } = session.send(hello);
  await looking.reached;
  session.cancel();
  looking.open();
  expect(await turn).toMatchObject({ end: 'aborted', rounds: 0 });
  router.answer = () => Promise.resolve(other);
  await session.send(hello).turn;
  expect(router.tasks.map(({ kind }) => kind)).toEqual([undefined, 'planning', 'planning']);
});

it('where none can be chosen, the message is kept, nothing is sent, and the turn says why', async () => {
  const { session, provider, router, log } = routed();
  const why = { type: 'noneFits' } as const;
  router.answer = () =>
    Promise.resolve({ routing: { type: 'ask', kind: 'debug', candidates: [], leftOut: 0, why }, problem: new NoModelError('None fits.', why) });
  expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { message: 'None fits.', why } });
  expect([session.messages.length, provider.requests.length, session.auto.routingAt(0)?.type, log.lines]).toEqual([1, 0, 'ask', []]);
  router.answer = () => Promise.reject(new Error('The rules are broken.'));
  const broken = await session.retry().turn;
  expect(broken).toMatchObject({ end: 'error', error: { message: expect.stringContaining('The rules are broken. Choose one yourself') as string } });
  expect(log.lines).toEqual(['No model could be chosen: Error: The rules are broken.']);
});

it('R-14: another one goes on only where the first does not answer, and once', async () => {
  const overloaded = new ProviderError('overloaded', 'Too much to do.');
  const { session, provider, router, other } = routed([overloaded], [overloaded]);
  router.answer = ({ isAnew, current }) => Promise.resolve(isAnew !== true ? { ...other, running: { provider, model: current } } : other);
  expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: overloaded });
  expect(provider.requests.map(({ model }) => model)).toEqual(['model-1', 'model-2']);
  expect(router.heard).toEqual([
    ['scripted/model-1', false],
    ['scripted/model-2', false],
  ]);
  // A refusal is about the request.
  provider.replace([new ProviderError('invalid_request', 'No.')]);
  router.tasks.splice(0);
  await session.send(hello).turn;
  expect(router.tasks).toHaveLength(1);
  expect(router.tasks).toMatchObject([{ isAnew: true, triesAgain: 'scripted/model-1' }]);
});
