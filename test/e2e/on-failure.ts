import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { App } from './app.js';

/** When a test has failed, says what the chat shows, and keeps a screenshot of every window and what VS Code and its extensions wrote to their logs. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const name = `${task.file.name} ${task.name}`.replaceAll(/[^\w-]+/g, '-').slice(0, 120);
  const shown = [...App.running].filter(({ page }) => !page.isClosed());
  for (const [index, app] of shown.entries()) {
    const path = await app.workbench.screenshot(`failures/${name}-${index + 1}`);
    await cp(join(app.dataDir, 'data', 'logs'), path.replace(/\.png$/, '-logs'), { recursive: true });
    const shows = `Its chat shows:\n${await app.chat.told()}`;
    console.log(`A screenshot of the window is in ${path}, the logs are beside it. ${shows}`);
    // What is kept of a run elsewhere is its end, where errors stand again.
    for (const error of task.result.errors ?? []) error.stack = `${error.stack ?? error.message}\n${shows}`;
  }
});
