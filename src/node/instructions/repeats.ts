import type { InstructionFile } from '../../domain/session/context.js';

/** Leaves out what is there already: another name of the same file, the same text, and a file that only points to another. */
export function withoutRepeats(files: readonly InstructionFile[]): readonly InstructionFile[] {
  return files.filter(({ path, text }, index) => {
    const before = files.slice(0, index);
    return !before.some((other) => other.path === path || other.text === text) && !(before.length > 0 && isPointer(text));
  });
}

/** Whether a text says nothing but `@AGENTS.md`, as files for tools with another file name do. */
function isPointer(text: string): boolean {
  return /^@(\.\/)?AGENTS\.md$/.test(text);
}
