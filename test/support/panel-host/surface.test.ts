import { afterEach, beforeAll, expect, test } from 'vitest';
import { SCENES } from '../surface/scenes.js';
import { openAt, showStage } from '../surface/shoot.js';
import { violations } from './axe.js';
import { PanelRig, settled } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

test.each(SCENES)('axe finds nothing in the scene $name, which the real session makes', async ({ set, does }) => {
  const stage = await set();
  const page = await openAt(rig, 300);
  await showStage(page, stage);
  await does?.(page, stage);
  await settled(page);
  expect(await violations(page)).toEqual([]);
  await stage.close();
});
