import { InlineRig } from '../e2e/inline-rig.js';
import { type Figure, medianFigure } from './figure.js';

const WARM_UP = 2;
const RUNS = 10;
/** New windows in which the prompt is what is used first. */
const STARTS = 5;
const TEXT = Array.from({ length: 20 }, (_, index) => `const line${index} = value(${index});\n`).join('');

/** What a person waits for who wants an inline edit: from the key to the first letter in the prompt, in milliseconds. */
export async function measureEditPrompt(): Promise<readonly Figure[]> {
  const rig = await InlineRig.start();
  const { app } = rig.all;
  const [warm, first]: [number[], number[]] = [[], []];
  try {
    await app.workbench.openView('Explorer');
    await rig.open('prompt.js', TEXT);
    for (let run = 0; run < WARM_UP + RUNS; run += 1) {
      const ms = await opened(rig);
      if (run >= WARM_UP) warm.push(ms);
    }
    for (let run = 0; run < STARTS; run += 1) {
      await app.workbench.reload();
      await app.workbench.openFile('prompt.js');
      first.push(await opened(rig));
    }
  } finally {
    await rig.all.stop();
  }
  return [
    medianFigure('edit_prompt_letter_ms', warm, { unit: 'ms', goal: 100 }),
    medianFigure('edit_prompt_first_letter_ms', first, { unit: 'ms', goal: 300 }),
  ];
}

/** Opens the prompt for some lines, types a letter and closes it. */
async function opened(rig: InlineRig): Promise<number> {
  await rig.editor.select(3, 9);
  const ms = await rig.firstLetterMs();
  await rig.page.keyboard.press('Escape');
  await rig.prompt.waitFor({ state: 'hidden' });
  return ms;
}
