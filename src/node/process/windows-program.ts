import { join } from 'node:path';

/** A program of Windows by its whole path: a bare name would be looked for in the folder where it starts. */
export function windowsProgram(...parts: readonly string[]): string {
  return join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', ...parts);
}
