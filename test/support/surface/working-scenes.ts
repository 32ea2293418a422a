import type { Scene } from './scene.js';
import { Stage } from './stage.js';
import { FAILING_TESTS, PASSING_TESTS, SLOT_EDIT, TEST_EDIT, mended, round, says } from './turns.js';
import { openAbove, openFind } from './ways.js';

const REPORT =
  '07:58  Fjord   09:00–09:30  booked\n07:58  Fjord   09:30–10:00  booked\n07:58  Oslo    free until 14:00\n3 rooms, 2 bookings, 0 conflicts\nwaiting for changes…\n';

/** Thinks, reads, edits, tests, and now runs a command that goes on. */
async function working(): Promise<Stage> {
  const stage = await Stage.start({ mode: 'bypassPermissions' });
  stage.command('npm test', PASSING_TESTS);
  stage.command('npm run report -- --watch', REPORT, 'never');
  const reads = ['src/slot.js', 'src/room.js', 'src/report.js', 'package.json'];
  stage.say(
    'Touching slots should not overlap. Fix it and run the tests.',
    reads.reduce(
      (each, path) => each.toolCall('read', { file_path: path }),
      round().thinking('Two slots that only touch: one ends when the other begins. Where are they compared?'),
    ),
    says('`overlaps` compares with `<=`, so two slots that only touch count as overlapping. Half-open slots fix that in one place.').toolCall(
      'edit',
      SLOT_EDIT,
    ),
    round().toolCall('bash', { command: 'npm test' }),
    says('All 14 tests pass. The report prints bookings too, so I am checking it against the dev server.').toolCall('bash', {
      command: 'npm run report -- --watch',
    }),
  );
  await stage.running('bash');
  await stage.until('the report', ({ items }) => JSON.stringify(items).includes('waiting for changes'));
  return stage;
}

/** Ten calls, with all that a turn usually has. */
export async function tenCalls(): Promise<Stage> {
  const stage = await Stage.start({ mode: 'bypassPermissions' });
  stage.command('npm test', FAILING_TESTS, { exitCode: 1 });
  stage.command('npm test -- --test-name-pattern slot', PASSING_TESTS);
  await stage.turn(
    'The slot tests fail. Why?',
    says('I run the tests first.').toolCall('bash', { command: 'npm test' }),
    round().toolCall('read', { file_path: 'src/slot.js' }).toolCall('read', { file_path: 'test/slot.test.js' }),
    says('The test wants touching slots to be apart. Who else depends on that?')
      .toolCall('grep', { pattern: 'overlaps' })
      .toolCall('glob', { pattern: 'test/*.test.js' }),
    round().toolCall('read', { file_path: 'src/room.js' }).toolCall('read', { file_path: 'src/nope.js' }),
    says('Only `isFree` does, and it wants the same.').toolCall('edit', SLOT_EDIT).toolCall('edit', TEST_EDIT),
    round().toolCall('bash', { command: 'npm test -- --test-name-pattern slot' }),
    says('`overlaps` counted a shared end as a shared minute. Slots are half-open now, and all tests pass.'),
  );
  return stage;
}

const STEPS = ['Find where slots are compared', 'Make slots half-open', 'Add a test for slots that touch', 'Update the report', 'Run all tests'];

/** A turn that runs, with everything above the composer that can be there. */
export async function crowded(): Promise<Stage> {
  const stage = await Stage.start({ mode: 'bypassPermissions' });
  stage.command('npm test', FAILING_TESTS, 'never');
  const todos = STEPS.map((text, index) => ({ text, status: index < 2 ? 'done' : index === 2 ? 'in_progress' : 'pending' }));
  stage.say(
    'Touching slots should not overlap. Fix it, test it, and update the report.',
    round().toolCall('read', { file_path: 'src/slot.js' }).toolCall('read', { file_path: 'src/report.js' }),
    says('`overlaps` compares with `<=`, so two slots that only touch count as overlapping.').toolCall('todo', { todos }).toolCall('edit', SLOT_EDIT),
    says('Now the tests.').toolCall('bash', { command: 'npm test' }),
  );
  await stage.running('bash');
  const file = (display: string, added: number, removed: number): object => ({
    path: `/home/ada/work/rooms/${display}`,
    display,
    status: 'changed',
    added,
    removed,
  });
  const changes = [file('src/slot.js', 2, 2), file('src/report.js', 14, 3), { ...file('test/touching-slots.test.js', 31, 0), status: 'created' }];
  const messages = [
    { id: 'q1', text: 'Then bump the version to 1.3.0.', attached: [], now: false },
    { id: 'q2', text: 'And say in the README that slots are half-open.', attached: ['README.md'], now: false },
  ];
  stage.conversation.show({ changes, queue: { messages, held: '' } } as Parameters<typeof stage.conversation.show>[0]);
  return stage;
}

/** The scenes of a turn that works, or has. */
export const workingScenes: readonly Scene[] = [
  { name: '02-working', title: 'A working turn', set: working },
  { name: '08a-plan-files-queue', title: 'Plan, files and queue, as they come', set: crowded },
  { name: '08b-plan-files-queue-open', title: 'Plan, files and queue, opened', set: crowded, does: openAbove },
  { name: '14-ten-tool-calls', title: 'Ten tool calls', set: tenCalls },
  { name: '15-find', title: 'Find', set: mended, does: (page, stage) => openFind(page, stage, 'slots') },
];
