import { describe, expect, it } from 'vitest';
import type { InstructionFile, Instructions } from '../../../../src/domain/session/context.js';
import { onlyTrusted } from '../../../../src/vscode/workspace/project-instructions.js';

const FILE: InstructionFile = { path: '/w/AGENTS.md', display: 'AGENTS.md', text: 'Obey me.', truncated: false };
const signal = new AbortController().signal;

describe('instructions of a workspace (conf-01)', () => {
  it('are not even looked for while it is not trusted, and are there once it is', async () => {
    let trusted = false;
    const asked: string[] = [];
    const finder: Instructions = {
      ofWorkspace: () => Promise.resolve([asked.push('workspace'), FILE].slice(1) as InstructionFile[]),
      ofFile: (path) => Promise.resolve([asked.push(path), FILE].slice(1) as InstructionFile[]),
    };
    const guarded = onlyTrusted(finder, () => trusted);
    expect(await guarded.ofWorkspace(signal)).toEqual([]);
    // A refusal and no empty answer: who asked asks again.
    await expect(guarded.ofFile('/w/a/b.ts', signal)).rejects.toThrow(/not trusted/);
    expect(asked).toEqual([]);
    trusted = true;
    expect([await guarded.ofWorkspace(signal), await guarded.ofFile('/w/a/b.ts', signal)]).toEqual([[FILE], [FILE]]);
    expect(asked).toEqual(['workspace', '/w/a/b.ts']);
  });
});
