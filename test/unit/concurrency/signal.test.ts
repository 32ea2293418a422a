import { describe, expect, it } from 'vitest';
import { Signal } from '../../../src/concurrency/signal.js';

describe('Signal', () => {
  it('tells all in order, a function that listens twice twice, until they stop', () => {
    const signal = new Signal<number>();
    const heard: string[] = [];
    const twice = (value: number): unknown => heard.push(`twice ${value}`);
    const stop = signal.subscribe(twice);
    signal.subscribe((value) => heard.push(`other ${value}`));
    signal.subscribe(twice);
    signal.emit(1);
    stop();
    stop();
    signal.emit(2);
    signal.clear();
    signal.emit(3);
    expect(heard).toEqual(['twice 1', 'other 1', 'twice 1', 'other 2', 'twice 2']);
  });

  it('reports what a listener throws, and tells the others', () => {
    const reports: unknown[] = [];
    const signal = new Signal<string>((error, value) => reports.push([(error as Error).message, value]));
    const heard: string[] = [];
    signal.subscribe(() => {
      throw new Error('broken');
    });
    signal.subscribe((value) => heard.push(value));
    signal.emit('a');
    expect(heard).toEqual(['a']);
    expect(reports).toEqual([['broken', 'a']]);
  });

  it('throws where nothing catches it what nobody takes', async () => {
    const signal = new Signal();
    let heard = 0;
    signal.subscribe(() => {
      throw new Error('broken');
    });
    signal.subscribe(() => (heard += 1));
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve));
    signal.emit();
    expect(heard).toBe(1);
    expect(await uncaught).toEqual(new Error('broken'));
    for (const listener of before) process.on('uncaughtException', listener);
  });

  it('does not tell one that another has stopped, nor one that comes meanwhile', () => {
    const signal = new Signal();
    const heard: string[] = [];
    signal.subscribe(() => {
      heard.push('first');
      stop();
      signal.subscribe(() => heard.push('late'));
    });
    const stop = signal.subscribe(() => heard.push('stopped'));
    signal.emit();
    expect(heard).toEqual(['first']);
  });
});
