import { DOUBT } from '../doubts.js';
import type { RiskyOptions } from '../commands/options.js';
import { canBecomeOption, hasRiskyOption } from '../commands/options.js';
import { awk } from '../readers/awk.js';
import { find } from '../readers/find.js';
import type { Reader } from '../readers/reader.js';
import { sed } from '../readers/sed.js';
import { printf } from '../readers/special.js';
import type { Word } from '../words/word.js';
import { gitHazards } from './git.js';
import { runsOther } from './projects.js';

/** Options by which programs run others or write files, though they mostly read. */
const RISKY: Readonly<Record<string, RiskyOptions>> = {
  rg: { long: ['pre', 'hostname-bin'] },
  sort: { letters: 'oT', valued: 'kSt', long: ['output', 'compress-program', 'temporary-directory', 'files0-from'] },
  tree: { letters: 'oR', valued: 'ILP', long: ['fromfile'] },
  file: { letters: 'Cmf', long: ['compile', 'magic-file', 'files-from'] },
  date: { letters: 's', valued: 'dfrI', long: ['set'] },
  xxd: { letters: 'r' },
  fd: { letters: 'xX', valued: 'eEtdSo', long: ['exec', 'exec-batch'] },
  fdfind: { letters: 'xX', valued: 'eEtdSo', long: ['exec', 'exec-batch'] },
  less: { letters: 'oOkTt', long: ['log-file', 'LOG-FILE', 'lesskey-file', 'lesskey-src', 'lesskey-content', 'tag', 'tag-file'] },
  man: { letters: 'PHCRE', long: ['pager', 'html', 'config-file', 'preprocessor'] },
  rsync: { letters: 'e', long: ['rsh', 'rsync-path', 'daemon', 'config', 'log-file', 'write-batch', 'temp-dir', 'backup-dir', 'partial-dir'] },
  ssh: { letters: 'oFELRDJS', valued: 'bcilmpQWwBI' },
  scp: { letters: 'oFS', valued: 'cilPX' },
  sftp: { letters: 'oFSbD', valued: 'ciPX' },
  zip: { letters: 'T', long: ['unzip-command'] },
  curl: { letters: 'KoOTD', valued: 'AHdeEFmQrtuUwXxyYzb', long: ['config', 'output', 'remote-name', 'upload-file', 'dump-header', 'cookie-jar', 'trace'] },
  wget: { letters: 'iOoaPx', valued: 'UeAtTQRDIXl', long: ['use-askpass', 'output-document', 'output-file', 'append-output', 'config', 'execute', 'input-file'] },
  ctags: { long: ['options', '_xformat'] },
  tcpdump: { letters: 'zwW', valued: 'cirs' },
  ip: { letters: 'b', long: ['batch'] },
};
/** Programs that open an editor, a pager or a shell, or that change files which their text does not name. */
const CHANGERS: ReadonlySet<string> = new Set(['patch', 'cpio', 'unzip', 'bsdtar', '7z', 'unrar', 'ar', 'pax', 'ed', 'ex']);
/** Programs in whose scripts only what is known to print is let pass. */
const SCRIPTED: Readonly<Record<string, Reader>> = { sed, gsed: sed, awk, gawk: awk, mawk: awk, nawk: awk, printf };
const FIND_ACTION = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/;

/** The doubts about the words behind a program. @param lost whether it is not known in which folder it runs. */
export function hazardsOf(name: string, words: readonly Word[], lost: boolean): readonly string[] {
  const doubts = [...(Object.hasOwn(RISKY, name) && hasRiskyOption(words, RISKY[name] ?? {}) ? [DOUBT.option] : []), ...special(name, words, lost)];
  // A file can be named like an option.
  const heedsOptions = Object.hasOwn(RISKY, name) || ['find', 'git', 'tar', 'uniq'].includes(name) || (Object.hasOwn(SCRIPTED, name) && name !== 'printf');
  return heedsOptions && words.some(canBecomeOption) ? [...doubts, DOUBT.pattern] : doubts;
}

function special(name: string, words: readonly Word[], lost: boolean): readonly string[] {
  if (name === 'git') return gitHazards(words, lost);
  if (name === 'find') return words.some(({ text = '' }) => FIND_ACTION.test(text)) && find(words) === undefined ? [DOUBT.option] : [];
  if (name === 'tar') return tarHazards(words);
  if (name === 'less' || name === 'more') return words.some(({ text = '' }) => text.startsWith('+')) ? [DOUBT.option] : [];
  if (name === 'test' || name === '[') return words.some(({ text = '' }) => /^-[vR]$/.test(text)) ? [DOUBT.expansion] : [];
  if (CHANGERS.has(name)) return [DOUBT.changes];
  if (runsOther(name, words)) return [DOUBT.option];
  const reader = Object.hasOwn(SCRIPTED, name) ? SCRIPTED[name] : undefined;
  return reader !== undefined && reader(words) === undefined ? [DOUBT.unknownScript] : [];
}

/** Listing an archive reads; unpacking one writes whatever it holds. */
function tarHazards(words: readonly Word[]): readonly string[] {
  const lists = words.some(({ text = '' }, index) => (index === 0 ? /^-?[vzjJ]*t[vzjJf]*$/.test(text) : /^(?:-[vzjJ]*t[vzjJf]*|--list)$/.test(text)));
  const risky = hasRiskyOption(words, { letters: 'IFx', valued: 'f', long: ['to-command', 'checkpoint-action', 'use-compress-program', 'info-script', 'new-volume-script', 'rmt-command', 'rsh-command', 'extract', 'get'] });
  return lists && !risky ? [] : [DOUBT.changes];
}
