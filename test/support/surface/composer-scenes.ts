import { createDemoProvider, demoModel } from '../../../src/provider/demo/provider.js';
import type { Scene } from './scene.js';
import { Stage } from './stage.js';
import { mended } from './turns.js';
import { openContext, openHistory, openMenu, typeMention } from './ways.js';

/** Nothing was said yet, and no key was given. */
async function firstRun(): Promise<Stage> {
  const stage = await Stage.start();
  stage.conversation.setModel(createDemoProvider(), demoModel);
  await stage.until('the demo', ({ model }) => model.startsWith('demo/'));
  return stage;
}

/** The scenes of an empty conversation, and of what opens around the conversation. */
export const composerScenes: readonly Scene[] = [
  { name: '01-first-run', title: 'First run, with the demo', set: firstRun },
  { name: '11-history', title: 'History', set: mended, does: openHistory },
  { name: '12a-model-menu', title: 'Model menu', set: mended, does: (page) => openMenu(page, 'model') },
  { name: '12b-mode-menu', title: 'Mode menu', set: mended, does: (page) => openMenu(page, 'mode') },
  { name: '12c-mentions', title: 'Mentions', set: () => Stage.start(), does: typeMention },
  { name: '13-context', title: 'Context and cost', set: mended, does: openContext },
  { name: '18-new-chat', title: 'A new chat', set: () => Stage.start() },
];
