import { describe, expect, it } from 'vitest';
import type { CodeColors } from '../../../../src/protocol/code-kinds.js';
import type { HostMessage } from '../../../../src/protocol/messages.js';
import { PaneTheme } from '../../../../src/chat/pane/pane-theme.js';
import { deferred } from '../../../support/model-server/gate.js';

describe('the colors of code in a place', () => {
  it('are those of the theme that is shown last, though the files of an earlier one are read more slowly', async () => {
    const read = deferred();
    const earlier = read.promise.then((): CodeColors => ({ string: '#a5d6ff' }));
    const readings = [earlier, Promise.resolve<CodeColors>({ string: '#e6db74' })];
    const changes: (() => void)[] = [];
    const posted: HostMessage[] = [];
    const failures: unknown[] = [];
    const theme = new PaneTheme({
      codeTheme: {
        current: () => readings.shift() ?? Promise.reject(new Error('There is no further theme.')),
        onDidChange: (listener) => {
          changes.push(listener);
          return () => void changes.splice(0);
        },
      },
      post: (message) => void posted.push(message),
      report: (error) => void failures.push(error),
    });
    changes[0]?.();
    changes[0]?.();
    await expect.poll(() => posted).toEqual([{ type: 'code_colors', colors: { string: '#e6db74' } }]);
    read.resolve();
    await earlier;
    expect(posted).toHaveLength(1);
    expect(failures).toEqual([]);
    theme.stop();
    expect(changes).toEqual([]);
  });
});
