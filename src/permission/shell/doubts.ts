import { t } from '../../domain/l10n.js';

/** The line cannot be judged. `message` says why, for the user. Caught where an analysis begins, never beyond. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/**
 * @param why as a sentence; when absent, the grammar and the word parser disagree, so neither is trusted.
 * @throws UnreadableError always.
 */
export function unreadable(why: string = t('It cannot be parsed reliably.')): never {
  throw new UnreadableError(why);
}

/** Why no rule with a prefix may let a command pass, as sentences for the user. */
export const DOUBT = {
  get assignment(): string {
    return t('It sets a variable, which can change what programs do.');
  },
  get dynamicName(): string {
    return t('The program it runs is only known at runtime.');
  },
  get dynamicWord(): string {
    return t('Part of it is only known at runtime.');
  },
  get secretVariable(): string {
    return t('It uses a variable that may contain a password or key.');
  },
  get expansion(): string {
    return t('It contains an expansion that can run commands or set variables.');
  },
  get pattern(): string {
    return t('File names could be interpreted as options.');
  },
  get upwards(): string {
    return t('A file pattern in it can match files in other folders.');
  },
  get dynamicTarget(): string {
    return t('Its output destination is only known at runtime.');
  },
  get network(): string {
    return t('It opens a network connection.');
  },
  get folder(): string {
    return t('The folder it runs in is only known at runtime.');
  },
  get function(): string {
    return t('It defines a function, which can replace a command.');
  },
  get loop(): string {
    return t('It sets a variable that programs may read.');
  },
  get input(): string {
    return t('Some of its arguments are only known at runtime.');
  },
  get environment(): string {
    return t('It changes the environment of the program it runs.');
  },
  get runner(): string {
    return t('It runs another program in a way that cannot be fully analyzed.');
  },
  get privileges(): string {
    return t('It runs another program with different privileges.');
  },
  get elsewhere(): string {
    return t('It runs commands on another machine.');
  },
  get shell(): string {
    return t('It starts a shell.');
  },
  get script(): string {
    return t('The commands it runs are only known at runtime.');
  },
  get state(): string {
    return t('It changes the meaning or effect of later commands.');
  },
  get option(): string {
    return t('One of its options can run programs or change files.');
  },
  get changes(): string {
    return t('It changes files that the command does not name.');
  },
  get unknownScript(): string {
    return t('Its script may do more than read.');
  },
  get gitElsewhere(): string {
    return t('Git reads its settings, which can run programs, from another folder.');
  },
  get localRemote(): string {
    return t('It may reach a repository on this machine, whose hooks and settings can run programs.');
  },
  get gitSettings(): string {
    return t('It changes or overrides Git settings, which can run programs.');
  },
};
