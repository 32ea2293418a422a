import { afterAll, beforeAll } from 'vitest';
import { type WithModel, startWithModel } from './with-model.js';

/**
 * A window for the cases of several files, one after the other: to open one takes longer than most cases. What VS Code and
 * Gnomon remember of the window stays, so each file brings what it needs under names of its own.
 */
export class SharedWindow {
  private all: WithModel | undefined;
  private isNew = true;

  /** Opens it before the cases of the suite in which this stands, and closes it behind them. @param start how it is opened */
  constructor(private readonly start: () => Promise<WithModel> = startWithModel) {
    beforeAll(async () => {
      this.all = await this.start();
    });
    afterAll(() => this.all?.stop());
  }

  /** It, with an empty conversation, no editors, and the files as they were when it was opened. */
  async take(): Promise<WithModel> {
    if (this.all === undefined) throw new Error('The window is not open.');
    if (!this.isNew) await beginAnew(this.all);
    this.isNew = false;
    return this.all;
  }
}

async function beginAnew({ app, chat }: WithModel): Promise<void> {
  await app.workbench.clearNotifications();
  await app.workbench.closeEditors();
  await app.renewFiles();
  await app.workbench.openView('Gnomon');
  // From whichever page the panel shows.
  await chat.newSession();
  await chat.message.fill('');
}
