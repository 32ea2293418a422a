import { type StreamReply, reply } from '../model-server/index.js';
import { Stage } from './stage.js';

/** The tokens that a round of a small conversation takes. */
const USAGE = [{ input_tokens: 1_204, cache_read_input_tokens: 9_800 }, { output_tokens: 380 }] as const;

/** The beginning of what the model says in a round. */
export function says(text: string): StreamReply {
  return round().text(text);
}

/** A round that begins without words. */
export function round(): StreamReply {
  return reply().usage(...USAGE);
}

/** Makes a half-open slot of a closed one, and guards against empty ones: two changes of one line, far enough apart for a hunk of 13 lines. */
export const SLOT_EDIT = {
  file_path: 'src/slot.js',
  edits: [
    { old_string: '  return a.start <= b.end && b.start < a.end;', new_string: '  return a.start < b.end && b.start < a.end;' },
    {
      old_string: '  return inner.start >= outer.start && inner.end <= outer.end;',
      new_string: '  return outer.start <= inner.start && inner.end <= outer.end;',
    },
  ],
};

export const ROOM_EDIT = {
  file_path: 'src/room.js',
  edits: [
    {
      old_string: '  return found.filter((free) => lengthOf(free) >= minutes);',
      new_string: '  // A stretch that is exactly as long as the meeting fits, too.\n  return found.filter((free) => lengthOf(free) >= minutes);',
    },
  ],
};

export const TEST_EDIT = {
  file_path: 'test/slot.test.js',
  edits: [{ old_string: "import { test } from 'node:test';", new_string: "import { describe, test } from 'node:test';" }],
};

export const FAILING_TESTS = `✖ slots that only touch do not overlap (1.08ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  true !== false
      at test/slot.test.js:14:10
ℹ tests 14
ℹ pass 13
ℹ fail 1
`;
export const PASSING_TESTS = 'ℹ tests 14\nℹ suites 0\nℹ pass 14\nℹ fail 0\nℹ cancelled 0\nℹ duration_ms 96.4\n';

/** A conversation in which a bug was found, mended and tested. */
export async function mended(): Promise<Stage> {
  const stage = await Stage.start({ mode: 'acceptEdits' });
  stage.command('npm test', PASSING_TESTS);
  const { turn } = stage.say(
    'Touching slots should not overlap. Fix it and run the tests.',
    round().toolCall('read', { file_path: 'src/slot.js' }).toolCall('read', { file_path: 'src/room.js' }),
    says('`overlaps` compares with `<=`, so two slots that only touch count as overlapping.').toolCall('edit', SLOT_EDIT),
    round().toolCall('bash', { command: 'npm test' }),
    says('Slots are half-open now, and all 14 tests pass. Two bookings may follow each other without a gap.'),
  );
  await stage.allow();
  await turn;
  return stage;
}
