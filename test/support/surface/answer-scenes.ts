import { deflateSync } from 'node:zlib';
import { pngOf } from '../image.js';
import { type Reply, httpError } from '../model-server/index.js';
import type { Scene } from './scene.js';
import { Stage } from './stage.js';
import { round, says } from './turns.js';

const RICH = `Utilization is the booked share of the opening hours, \`occupancy(room)\` in [src/report.js](src/report.js):

| Room | Opening hours | Booked | Utilization |
| :-- | --: | --: | --: |
| Fjord | 08:00–18:00 | 6 h 30 min | 65 % |
| Oslo | 08:00–18:00 | 1 h 15 min | 13 % |
| Svalbard conference room | 09:00–17:00 | 8 h | 100 % |

With $b_i$ the length of booking $i$ and $h$ the opening hours:

$$u = \\frac{\\sum_{i=1}^{n} b_i}{h}$$

\`\`\`js src/report.js
/** The share of its opening hours for which a room is booked. */
export function occupancy(room) {
  const booked = room.bookings.reduce((sum, booking) => sum + lengthOf(booking), 0);
  return Math.round((booked / lengthOf(room.hours)) * 100);
}
\`\`\`

\`\`\`mermaid
flowchart LR
  A[slot.js] --> B[room.js]
  B --> C[report.js]
\`\`\`

- [x] Counts every booking once
- [ ] Ignores holidays`;

async function rich(): Promise<Stage> {
  const stage = await Stage.start();
  await stage.turn('How is the utilization of a room worked out?', round().toolCall('read', { file_path: 'src/report.js' }), says(RICH));
  return stage;
}

const PARTIAL = 'The report adds the lengths of all bookings and divides them by';

/** A key that is refused, then an answer that breaks off three times. */
async function errors(): Promise<Stage> {
  const stage = await Stage.start();
  await stage.turn('How is the utilization of a room worked out?', httpError(401, 'authentication_error', 'invalid x-api-key'));
  const broken: Reply = says(PARTIAL).cut();
  await stage.turn('And now?', broken, broken, broken);
  await stage.retry();
  await stage.retry();
  return stage;
}

/** Too many requests: the next attempt is waited for. */
async function limited(): Promise<Stage> {
  const stage = await Stage.start({ retries: 8, wait: (_, signal) => new Promise((done) => signal.addEventListener('abort', () => done(), { once: true })) });
  stage.say('Summarize the open bookings.', httpError(429, 'rate_limit_error', 'This request would exceed your rate limit.', { 'retry-after': '30' }));
  await stage.until('the wait', ({ retry }) => retry !== null);
  return stage;
}

/** A wide image: bars of growing length. */
function bars(): Uint8Array<ArrayBuffer> {
  const [width, height] = [640, 240];
  const pixels = Buffer.alloc((width + 1) * height, 250);
  for (let row = 0; row < height; row += 1) {
    pixels[row * (width + 1)] = 0;
    const bar = Math.floor(row / 40);
    if (row % 40 > 8) pixels.fill(60 + bar * 25, row * (width + 1) + 21, row * (width + 1) + 21 + 80 + bar * 100);
  }
  return new Uint8Array(pngOf(width, height, deflateSync(pixels)));
}

async function sentImage(): Promise<Stage> {
  const stage = await Stage.start();
  const image = { type: 'image' as const, mimeType: 'image/png' as const, data: bars() };
  await stage.turn(
    [image, { type: 'text', text: 'Which room is used most?' }],
    says('The last bar is the longest, so **Svalbard** is used most. Fjord follows at some distance.'),
  );
  return stage;
}

/** The scenes of answers, whole and failed. */
export const answerScenes: readonly Scene[] = [
  { name: '09-rich-answer', title: 'A rich answer', set: rich },
  { name: '10a-errors', title: 'A refused key, a broken stream', set: errors },
  { name: '10b-rate-limit', title: 'Too many requests', set: limited },
  { name: '17-image', title: 'A sent image', set: sentImage },
];
