import { afterEach } from 'vitest';
import { App } from './app.js';

/** Takes a picture of every window when a test has failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const name = `${task.file.name} ${task.name}`.replaceAll(/[^\w-]+/g, '-').slice(0, 120);
  const shown = [...App.running].filter(({ page }) => !page.isClosed());
  for (const [index, app] of shown.entries()) {
    const path = await app.workbench.screenshot(`failures/${name}-${index + 1}`);
    console.log(`A picture of the window is in ${path}`);
  }
});
