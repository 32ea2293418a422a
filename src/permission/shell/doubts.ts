import { t } from '../../domain/l10n.js';

/** Why no rule with a prefix may let a command pass, as sentences for the user. */
export const DOUBT = {
  get assignment(): string {
    return t('It sets a variable, which can change what programs do.');
  },
  get dynamicName(): string {
    return t('Which program it runs is known only when it runs.');
  },
  get dynamicWord(): string {
    return t('A part of it is known only when it runs.');
  },
  get secretVariable(): string {
    return t('It uses a variable that can hold a password or a key.');
  },
  get expansion(): string {
    return t('It holds an expansion that can run or set something.');
  },
  get pattern(): string {
    return t('Names of files could become options of it.');
  },
  get upwards(): string {
    return t('A file pattern in it leads to other folders.');
  },
  get dynamicTarget(): string {
    return t('Where its output goes is known only when it runs.');
  },
  get network(): string {
    return t('It opens a network connection.');
  },
  get folder(): string {
    return t('The folder in which it runs is known only when it runs.');
  },
  get function(): string {
    return t('It gives a command another meaning.');
  },
  get loop(): string {
    return t('It sets a variable that programs may heed.');
  },
  get input(): string {
    return t('What it works on comes from its input.');
  },
  get environment(): string {
    return t('It changes the environment of what it runs.');
  },
  get runner(): string {
    return t('It runs another program in a way that is not known in detail.');
  },
  get privileges(): string {
    return t('It runs another program with other rights.');
  },
  get elsewhere(): string {
    return t('It runs commands on another machine.');
  },
  get shell(): string {
    return t('It starts a shell.');
  },
  get script(): string {
    return t('The commands that it runs are known only when it runs.');
  },
  get state(): string {
    return t('It changes what later commands mean or do.');
  },
  get option(): string {
    return t('An option of it can run or write something.');
  },
  get changes(): string {
    return t('It changes files that its text does not name.');
  },
  get unknownScript(): string {
    return t('Its script is not known to only read.');
  },
  get gitElsewhere(): string {
    return t('Git takes its settings, which can run programs, from another folder.');
  },
  get gitSettings(): string {
    return t('It changes or overrides settings of Git, which can run programs.');
  },
};
