import { startWithModel } from '../e2e/with-model.js';
import { answering, reply } from '../support/model-server/index.js';
import type { Figure } from './figure.js';
import { measureClicks } from './surface/clicks.js';
import { measureEditColor } from './surface/edit-color.js';
import { measureInlineKey } from './surface/inline-key.js';
import { measureBoxes, measureComposer, measureShare } from './surface/layout.js';
import { measureReloadLenses } from './surface/reload-lenses.js';

/**
 * How much of a panel is the conversation, and how many steps an approval and an edit in place take, in a real VS Code.
 * A scripted person finds things by roles and by any name that they have had, so that versions can be compared.
 */
export async function measureSurface(): Promise<readonly Figure[]> {
  const all = await startWithModel({ 'gnomon.permissions.allow': ['Bash(node --version)'], 'editor.quickSuggestions': { other: 'off' } });
  try {
    all.server.setScript(answering(reply().text('Hello.')));
    const figures: Figure[] = [];
    for (const measure of [measureComposer, measureClicks, measureShare, measureBoxes, measureEditColor, measureInlineKey, measureReloadLenses]) {
      figures.push(...(await measure(all)));
      // What was measured can be looked at.
      await all.app.page.screenshot({ path: `test-results/surface-figures/${measure.name}.png` });
    }
    return figures;
  } finally {
    await all.stop();
  }
}
