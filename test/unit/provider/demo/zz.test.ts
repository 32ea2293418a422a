import { it } from 'vitest';
import { join } from 'node:path';
import { Conversation, replaceIn, sampleCopy } from './rig.js';
it.each([
    ['src/slot.js', 'a.start < b.end && b.start', 'a.start < b.end || b.start'],
    ['src/clock.js', 'Number(match[1]) * MINUTES', 'Number(match[1]) + MINUTES'],
    ['src/room.js', 'bookings.every', 'bookings.some'],
    ['src/room.js', 'a.start - b.start', 'a.start + b.start'],
    ['src/clock.js', 'Math.floor', 'Math.ceil'],
])('%s', {timeout: 100000}, async (file, right, wrong) => {
  const folder = await sampleCopy(async (f) => { await replaceIn(join(f, 'src/slot.js'), 'a.start <= b.end', 'a.start < b.end'); await replaceIn(join(f, file), right, wrong); });
  const c = new Conversation(folder);
  await c.send('Fix the failing test');
  console.log(wrong, '\n', c.said.slice(0,4000), c.messages.flatMap(m => m.role==='assistant' ? m.content.flatMap(b => b.type==='thinking' && b.thinking.includes('ranking') ? [b.thinking] : []) : []).join('\n'));
});
