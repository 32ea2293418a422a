import { test } from 'vitest';
import { Session } from 'node:inspector/promises';
import * as bench from '../../bench/engine.js';
test('x', async () => {
  const loop = (bench as any).loop;
  await loop(200); await loop(200);
  const c = process.cpuUsage(); const w = performance.now();
  for (let i = 0; i < 5; i++) await loop(200);
  const u = process.cpuUsage(c);
  console.log('cpu/round', (u.user + u.system) / 1000 / 1000, 'wall/round', (performance.now() - w) / 1000);
  const s = new Session(); s.connect(); await s.post('Profiler.enable'); await s.post('Profiler.start');
  for (let i = 0; i < 5; i++) await loop(200);
  const { profile } = await s.post('Profiler.stop');
  const self = new Map<string, number>();
  const byId = new Map(profile.nodes.map((n) => [n.id, n]));
  profile.samples!.forEach((id, i) => { const n = byId.get(id)!; const k = n.callFrame.functionName + ' ' + n.callFrame.url.split('/').slice(-2).join('/') + ':' + n.callFrame.lineNumber; self.set(k, (self.get(k) ?? 0) + profile.timeDeltas![i]! / 1000); });
  console.log([...self].sort((a, b) => b[1] - a[1]).slice(0, 25).map(([k, v]) => v.toFixed(1) + ' ' + k).join('\n'));
}, 60000);
