/** Relative path → content. */
export type Files = Readonly<Record<string, string>>;
/** Relative path → new content; `undefined` removes the file. */
export type Changes = Readonly<Record<string, string | undefined>>;

/**
 * A text with one place changed.
 * @throws Error when the place is not there exactly once: the task is written wrongly then.
 */
export function edited(text: string | undefined, before: string, after: string): string {
  const parts = (text ?? '').split(before);
  if (parts.length !== 2) throw new Error(`“${before}” occurs ${parts.length - 1} times.`);
  return parts.join(after);
}

/** A small test script: prints what is wrong and fails, or prints that all is well. */
export function testScript(imports: string, checks: readonly string[]): string {
  const lines = checks.map((check) => `if (!(${check})) { console.log(${JSON.stringify(`FAIL ${check}`)}); process.exitCode = 1; }`);
  return `${imports}\n${lines.join('\n')}\nif (process.exitCode !== 1) console.log('ok');\n`;
}
