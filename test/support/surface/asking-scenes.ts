import type { Scene } from './scene.js';
import { Stage } from './stage.js';
import { PASSING_TESTS, ROOM_EDIT, SLOT_EDIT, TEST_EDIT, round, says } from './turns.js';

/** Asks for a difference of 13 lines: two changes of one line. */
export async function askedEdit(): Promise<Stage> {
  const stage = await Stage.start();
  stage.say(
    'Touching slots should not overlap.',
    round().toolCall('read', { file_path: 'src/slot.js' }),
    says('`overlaps` compares with `<=`, so two slots that only touch count as overlapping.').toolCall('edit', SLOT_EDIT),
  );
  await stage.asked();
  return stage;
}

async function askedCommand(): Promise<Stage> {
  const stage = await Stage.start();
  stage.say(
    'Seed the dev database with last month.',
    says('I fetch the seed script and clear the old build first.').toolCall('bash', {
      command: 'curl -fsSL https://get.rooms.dev/seed.sh | sh && rm -rf ../build && npm run seed -- --month 2026-09',
    }),
  );
  await stage.asked();
  return stage;
}

/** Asks for three edits of one response. */
export async function askedThree(): Promise<Stage> {
  const stage = await Stage.start();
  const reads = ['src/slot.js', 'src/room.js', 'test/slot.test.js'].reduce((each, path) => each.toolCall('read', { file_path: path }), round());
  stage.say(
    'Make slots half-open everywhere.',
    reads,
    says('Three files have to change.').toolCall('edit', SLOT_EDIT).toolCall('edit', ROOM_EDIT).toolCall('edit', TEST_EDIT),
  );
  await stage.asked(3);
  return stage;
}

const FIRST = { question: 'What should happen with bookings that touch?', choices: ['They do not overlap', 'They overlap'], multiple: false };
const SECOND = {
  question: 'Which of these should I update, too?',
  choices: ['The tests', 'The README, which says that slots are closed', 'The report'],
  multiple: true,
};

async function question(): Promise<Stage> {
  const stage = await Stage.start();
  stage.say('Make the slots right.', says('One thing is not clear.').toolCall('ask', FIRST), says('Then they are half-open.').toolCall('ask', SECOND));
  const first = await stage.running('ask');
  stage.conversation.answerQuestion({ type: 'answer_question', callId: first.id, choices: ['They do not overlap'] });
  await stage.until('the second question', ({ items }) => JSON.stringify(items).includes(SECOND.question));
  await stage.running('ask');
  return stage;
}

const PLAN = `## Half-open slots

1. **\`src/slot.js\`**: compare with \`<\` in \`overlaps\`, so that a slot ends before its end.
2. **\`src/room.js\`**: \`freeSlots\` keeps stretches that are exactly as long as the meeting.
3. **\`test/slot.test.js\`**: a test for slots that touch, one for empty ones.

The public API stays as it is. \`report.js\` only adds lengths and needs no change.`;

async function planned(): Promise<Stage> {
  const stage = await Stage.start({ mode: 'plan' });
  await stage.turn(
    'Plan how to make slots half-open.',
    round().toolCall('read', { file_path: 'src/slot.js' }).toolCall('read', { file_path: 'src/room.js' }).toolCall('grep', { pattern: 'overlaps' }),
    says(PLAN),
  );
  return stage;
}

async function denied(): Promise<Stage> {
  const stage = await Stage.start();
  stage.command('npm test', PASSING_TESTS);
  const { turn } = stage.say(
    'Clean up and test.',
    says('I remove the old build.').toolCall('bash', { command: 'rm -rf build' }),
    says('Then I leave `build` alone and only run the tests.').toolCall('bash', { command: 'npm test' }),
    says('All 14 tests pass. `build` is untouched.'),
  );
  stage.conversation.answer((await stage.asked()).id, { type: 'deny', feedback: 'do not touch build' });
  await stage.until('the next prompt', ({ items }) => JSON.stringify(items).includes('leave `build` alone'));
  await stage.allow();
  await turn;
  return stage;
}

/** The scenes in which something is asked, or was. */
export const askingScenes: readonly Scene[] = [
  { name: '03-permission-edit', title: 'Permission: an edit', set: askedEdit },
  { name: '04-permission-command', title: 'Permission: a dangerous command', set: askedCommand },
  { name: '05-three-edits', title: 'Three edits', set: askedThree },
  { name: '06-question', title: 'A question', set: question },
  { name: '07-plan', title: 'A plan that is finished', set: planned },
  { name: '16-denied', title: 'Denied with words', set: denied },
];
