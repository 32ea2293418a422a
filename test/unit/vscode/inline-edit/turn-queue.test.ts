import { expect, it } from 'vitest';
import { TurnQueue } from '../../../../src/vscode/inline-edit/turn-queue.js';

it('a turn that is asked for while one runs comes behind it; nothing is lost', async () => {
  const queue = new TurnQueue();
  const done: string[] = [];
  const ends = new Map<string, () => void>();
  const turn = (name: string) => (): Promise<void> => {
    done.push(`${name} begins`);
    return new Promise((resolve) => {
      ends.set(name, () => {
        done.push(`${name} ends`);
        resolve();
      });
    });
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const all = ['a', 'b', 'c'].map((name) => queue.run(turn(name), () => done.push(`${name} waits`)));
  expect(queue.goesOn).toBe(true);
  await end('a');
  await end('b');
  expect(queue.goesOn).toBe(false);
  await end('c');
  await Promise.all(all);
  expect(done).toEqual(['a begins', 'b waits', 'c waits', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  const later = queue.run(turn('d'), () => done.push('d waits'));
  await end('d');
  await later;
  expect(done.slice(-2)).toEqual(['d begins', 'd ends']);
});
