import { describe, expect, it, vi } from 'vitest';
import { Signal } from '../../../src/concurrency/signal.js';
import { WatchedSet, type WatchedSource } from '../../../src/customization/watched-set.js';
import { deferred } from '../../support/model-server/gate.js';
import { errorLog, watchingRig } from '../../support/watching-rig.js';

/** What a file says, read when the test lets it. */
class Text extends WatchedSet<string> {
  reads = 0;
  file: string | Error | undefined = 'one';
  hold: Promise<void> | undefined;
  signal: AbortSignal | undefined;

  get text(): string | undefined {
    return this.current;
  }

  /** @throws Error when nothing was read yet */
  must(): string {
    return this.known();
  }

  override begin(): void {
    super.begin();
  }

  protected watched() {
    return { files: ['/ws/text'] };
  }

  protected async readFiles(signal: AbortSignal): Promise<string | undefined> {
    this.reads += 1;
    this.signal = signal;
    const { file } = this;
    await this.hold;
    signal.throwIfAborted();
    if (file instanceof Error) throw file;
    return file;
  }
}

function setUp(more: Partial<WatchedSource> = {}) {
  const rig = watchingRig();
  const { errors, log } = errorLog();
  const set = new Text({ ports: rig.ports, log, failure: 'The text could not be read', ...more });
  const told = vi.fn();
  set.onDidChange(told);
  return { rig, errors, set, told };
}

describe('what is in watched files', () => {
  it('is read when somebody first asks, once for all who ask, and is not even watched before', async () => {
    const { rig, set, told } = setUp();
    expect([set.reads, rig.watches(), set.text]).toEqual([0, 0, undefined]);
    await Promise.all([set.ready(), set.ready()]);
    await set.ready();
    expect([set.reads, rig.watches(), set.text, told.mock.calls.length]).toEqual([1, 1, 'one', 1]);
    expect(rig.watched()).toEqual({ files: ['/ws/text'] });
  });

  it('is known to those who ask after it was read for another reason', async () => {
    const { rig, set } = setUp();
    await set.read();
    await set.ready();
    expect([set.reads, rig.watches()]).toEqual([1, 1]);
    await set.read();
    expect([set.reads, rig.watches()]).toEqual([2, 1]);
  });

  it('is read again when a file changes, and once more when one changes while it is read', async () => {
    const { rig, set, told } = setUp();
    await set.ready();
    const { promise, resolve } = deferred();
    set.hold = promise;
    set.file = 'two';
    rig.change();
    await vi.waitFor(() => expect(set.reads).toBe(2));
    set.file = 'three';
    rig.change();
    const done = set.read();
    resolve();
    await done;
    expect([set.reads, set.text]).toEqual([3, 'three']);
    expect(told).toHaveBeenCalledTimes(3);
  });

  it('stays as it was when reading fails, which the log has, and is right again after the next change', async () => {
    const { rig, errors, set, told } = setUp();
    set.file = new Error('EACCES');
    await set.ready();
    expect(() => set.must()).toThrow('The configuration files could not be read. The log has details. Reload the window to try again.');
    set.file = 'one';
    await set.read();
    set.file = new Error('EIO');
    await set.read();
    expect([set.must(), errors, told.mock.calls.length]).toEqual(['one', ['The text could not be read: EACCES', 'The text could not be read: EIO'], 1]);
    set.file = 'two';
    rig.change();
    await vi.waitFor(() => expect(set.text).toBe('two'));
  });

  it('is told of only when it was read as something else', async () => {
    const { set, told } = setUp();
    await set.ready();
    set.file = undefined;
    await set.read();
    expect([set.reads, set.text, told.mock.calls.length]).toEqual([2, 'one', 1]);
  });

  it('is not told of, nor logged, when it is disposed of while it is read, and is not read any more', async () => {
    const { rig, errors, set, told } = setUp();
    const { promise, resolve } = deferred();
    set.hold = promise;
    const done = set.ready();
    rig.change();
    set.dispose();
    expect([set.signal?.aborted, rig.watches()]).toEqual([true, 0]);
    resolve();
    await done;
    expect([errors, told.mock.calls.length, set.text]).toEqual([[], 0, undefined]);
    set.begin();
    expect(rig.watches()).toBe(0);
  });

  it('is read again, or told of without being read, as what it depends on says', async () => {
    const [setting, trust, places] = [new Signal(), new Signal(), new Signal()];
    const { rig, set, told } = setUp({ rereads: [setting.subscribe], retells: [trust.subscribe], places: { onDidChange: places.subscribe } });
    setting.emit();
    trust.emit();
    await set.ready();
    expect([set.reads, told.mock.calls.length]).toEqual([1, 1]);
    trust.emit();
    expect([set.reads, told.mock.calls.length]).toEqual([1, 2]);
    setting.emit();
    await vi.waitFor(() => expect(set.reads).toBe(2));
    places.emit();
    await vi.waitFor(() => expect(set.reads).toBe(3));
    set.dispose();
    for (const signal of [setting, trust, places]) signal.emit();
    expect([rig.watches(), set.reads, told.mock.calls.length]).toEqual([0, 3, 4]);
  });

  it('can be watched before it is read', () => {
    const { rig, set } = setUp();
    set.begin();
    set.begin();
    expect([rig.watches(), set.reads]).toEqual([1, 0]);
  });
});
