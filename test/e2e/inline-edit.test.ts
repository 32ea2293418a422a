import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gate } from '../support/model-server/index.js';
import { InlineRig } from './inline-rig.js';

const LINES = Array.from({ length: 20 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
const TEXT = `${LINES.join('\n')}\n`;

describe('E-1 edits in place', () => {
  let rig: InlineRig;

  beforeAll(async () => {
    rig = await InlineRig.start();
  });
  afterAll(() => rig.all.stop());

  it('stream hunks into the editor', async () => {
    await rig.open('first.ts', TEXT);
    await rig.select(1, 20);
    const hold = gate();
    const fresh = LINES.map((line, index) => (index % 4 === 1 ? line.replace('value', 'other') : line)).join('\n') + '\n';
    const at = fresh.indexOf('const line8 ');
    rig.answer(fresh.slice(0, at), hold, fresh.slice(at));
    await rig.page.keyboard.press('Control+Alt+k');
    await new Promise((done) => setTimeout(done, 3000));
    await rig.all.app.workbench.screenshot('inline-prompt');
    console.log(await rig.page.evaluate(() => { const a = document.activeElement; const out = []; for (let e = a; e && out.length < 16; e = e.parentElement) out.push(`${e.tagName}.${e.className} [${e.getAttribute('role')}] ${e.getAttribute('aria-label')}`); return out.join('\n'); }));
    console.log((await rig.page.locator('.review-widget').first().innerHTML()).replace(/<div class="(view-lines|margin|monaco-scrollable).*/s, '').slice(0, 3000));
    await rig.say('Use other everywhere');
    await hold.reached;
    await new Promise((done) => setTimeout(done, 2000));
    await rig.all.app.workbench.screenshot('inline-running');
    hold.open();
    await new Promise((done) => setTimeout(done, 3000));
    await rig.all.app.workbench.screenshot('inline-pending');
    expect(await rig.all.app.workbench.activeEditorText()).toBe(fresh);
  });
});
