import type { HookHandler } from '../../domain/hook/definition.js';
import { t } from '../../domain/l10n.js';
import type { HookFields } from './hook-fields.js';

type CommandHandler = Extract<HookHandler, { type: 'command' }>;

/** Scripts that Windows opens with something else than the program that they are for. */
const OPENED_OTHERWISE = /\.(?:js|mjs|cjs|ts|py|rb)$/i;

/**
 * Sees to it that a command is one for the system that it is to run on, and says so where it needs a program that may not be there.
 * A line break of Windows would be part of the last word of a line for bash.
 */
export function forPlatform(fields: HookFields, handler: CommandHandler, platform: NodeJS.Platform): CommandHandler {
  const command = handler.command.replaceAll('\r\n', '\n');
  const program = handler.args === undefined ? firstWord(command) : command;
  if (platform !== 'win32') {
    if (handler.shell === 'powershell')
      fields.findings.add(fields.place, t('This hook is made for Windows. Here it needs PowerShell, or it cannot start.'), true);
    // Some scripts are for both, as sh and cmd take their first lines for different things.
    else if (/\.(?:cmd|bat)$/i.test(program))
      fields.findings.add(fields.place, t('This hook is made for Windows. Here it works if its script is one for sh as well.'), true);
    return { ...handler, command };
  }
  if (OPENED_OTHERWISE.test(program))
    fields.fail(fields.place, t('Windows does not run “{0}” as a program. Put the program that runs it before it, such as {1}.', program, 'node'));
  if (/\.ps1$/i.test(program) && handler.shell === undefined && handler.args === undefined) return { ...handler, command, shell: 'powershell' };
  if (handler.shell === 'bash' || /\.sh$/i.test(program))
    fields.findings.add(fields.place, t('This hook needs bash, which Windows has only with Git for Windows or a similar program.'), true);
  return { ...handler, command };
}

/** The first word of a command line, without the quotation marks around it. */
function firstWord(command: string): string {
  const [, quoted, plain = ''] = /^\s*(?:&\s*)?(?:["']([^"']*)["']|(\S+))/.exec(command) ?? [];
  return quoted ?? plain;
}
