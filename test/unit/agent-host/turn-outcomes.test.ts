import { expect, it } from 'vitest';
import { type ObservedSession, TurnOutcomes } from '../../../src/agent-host/turn-outcomes.js';
import { Signal } from '../../../src/concurrency/signal.js';
import type { TaskKind } from '../../../src/domain/model/task-kind.js';
import { ownSession } from '../../../src/domain/session/identity.js';
import { CHAT_AUTHOR } from '../../../src/domain/workspace/change-author.js';
import type { ReviewEvent } from '../../../src/domain/workspace/changes.js';
import type { EmittedEvent, SessionEvent, Turn } from '../../../src/engine/events.js';
import type { Observed } from '../../../src/routing/observation-table.js';
import type { TurnFacts } from '../../../src/routing/outcome.js';
import { TestClock } from '../engine/rig.js';

const TIME = '2026-01-01T00:00:00Z';
const FILE = { kind: 'file', hash: '', mode: 0o644, bytes: Buffer.from('x'), unsaved: false } as const;

/** A session of which only events are known, what is changed in it, and what is observed of it. */
class Scene {
  readonly reviewed = new Signal<ReviewEvent>();
  readonly observed: Observed[] = [];
  checks: TurnFacts['checks'];
  kind: TaskKind | undefined = 'debug';
  private readonly events = new Signal<SessionEvent>();
  readonly session: ObservedSession = {
    id: 's',
    onEvent: this.events.subscribe,
    auto: { routingAt: () => (this.kind === undefined ? undefined : { type: 'chosen', kind: 'generation', corrected: this.kind }) },
  };
  readonly outcomes = new TurnOutcomes({
    reviewed: { onDidReview: this.reviewed.subscribe },
    checksOf: () => this.checks,
    folders: () => ['/w'],
    isOn: () => true,
    add: (observed) => Promise.resolve(void this.observed.push(observed)),
    clock: new TestClock(),
  });

  /** Closes the session. */
  readonly close = this.outcomes.follow(this.session, undefined);

  tell(event: EmittedEvent): void {
    this.events.emit({ ...event, who: ownSession('s') });
  }

  begin(index: number): void {
    this.tell({ type: 'turn_started', index, message: { role: 'user', content: [{ type: 'text', text: 'Fix it' }], timestamp: TIME } });
  }

  answer(model: string): void {
    this.tell({ type: 'round_started', round: 1, model });
    this.tell({ type: 'answer', index: 1, message: { role: 'assistant', content: [], timestamp: TIME } as never });
  }

  end(end: Turn['end'] = 'end_turn'): void {
    this.tell({ type: 'turn_ended', turn: { end } as Turn });
  }

  change(path: string, pending = 1): void {
    this.reviewed.emit({ type: 'changed', sessionId: 's', by: CHAT_AUTHOR, path, before: { kind: 'absent' }, after: FILE, pending });
  }

  decide(path: string, decision: { kept?: number; undone?: number; pending?: number }): void {
    this.reviewed.emit({ type: 'decided', path, kept: 0, edited: 0, undone: 0, pending: 0, ...decision });
  }

  /** A whole turn that changes files. */
  turn(index: number, ...paths: readonly string[]): void {
    this.begin(index);
    this.answer('a/one');
    for (const path of paths) this.change(path);
    this.end();
  }

  get shares(): readonly unknown[] {
    return this.observed.map(({ model, kind, share, because }) => [model, kind, share, ...because]);
  }
}

it('takes what checks say of what the user has not decided about when they go on, or nothing more comes', async () => {
  const scene = new Scene();
  scene.turn(0, '/w/a');
  scene.begin(2);
  expect(scene.shares).toEqual([]);
  scene.end('aborted');
  scene.checks = 'passed';
  scene.turn(4, '/w/b');
  scene.turn(6, '/w/c');
  // Also of the first one, as nothing has changed its file since.
  expect(scene.shares).toEqual([
    ['a/one', 'debug', 1, 'checks'],
    ['a/one', 'debug', 1, 'checks'],
  ]);
  scene.checks = 'failed';
  await scene.outcomes.close();
  expect(scene.shares.slice(2)).toEqual([['a/one', 'debug', 0, 'checks']]);
});

it('counts what the user decides while the turn runs, and after its session is closed', () => {
  const scene = new Scene();
  scene.begin(0);
  scene.answer('a/one');
  scene.change('/w/a', 2);
  scene.decide('/w/a', { kept: 2 });
  scene.change('/w/a', 1);
  expect(scene.shares).toEqual([]);
  scene.end();
  scene.decide('/w/a', { undone: 1 });
  expect(scene.shares).toEqual([['a/one', 'debug', 2 / 3, 'hunks']]);
});

it('keeps what a closed session knew of the kind of its turns', () => {
  const scene = new Scene();
  scene.turn(0, '/w/a');
  scene.close();
  scene.kind = undefined;
  scene.decide('/w/a', { kept: 1 });
  expect(scene.shares).toEqual([['a/one', 'debug', 1, 'hunks']]);
});

it.each<[string, (scene: Scene) => void]>([
  ['the kind is not known', (scene) => void ([scene.kind] = [undefined])],
  ['another model had answered, too', (scene) => scene.answer('a/two')],
  ['the user has brought the files back to before an earlier message', ({ reviewed }) => reviewed.emit({ type: 'restored', sessionId: 's', messageIndex: 0 })],
  ['another chat has changed the file', ({ reviewed }) => reviewed.emit(otherChange('/w/a'))],
])('observes nothing where %s', (_what, happens) => {
  const scene = new Scene();
  scene.turn(0);
  scene.begin(2);
  scene.answer('a/one');
  scene.change('/w/a');
  scene.end();
  happens(scene);
  scene.decide('/w/a', { kept: 1 });
  expect(scene.shares).toEqual([]);
});

it('is not confused by messages that did not pass, changes that are gone again, and what comes later', () => {
  const scene = new Scene();
  scene.turn(0, '/w/a', '/w/b');
  scene.change('/w/b', 0);
  scene.end('blocked');
  scene.decide('/w/a', { kept: 1 });
  scene.decide('/w/a', { undone: 1 });
  // A command that still runs changes another file after the turn was observed.
  scene.change('/w/c');
  scene.decide('/w/c', { undone: 1 });
  expect(scene.shares).toEqual([['a/one', 'debug', 1, 'hunks']]);
});

function otherChange(path: string): ReviewEvent {
  return { type: 'changed', sessionId: 'other', by: CHAT_AUTHOR, path, before: FILE, after: FILE, pending: 1 };
}
