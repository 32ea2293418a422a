import type { ReaderSpec } from './reader.js';

/** Programs that print facts about files and folders. */
export const FILE_READERS: Readonly<Record<string, ReaderSpec>> = {
  ls: {
    operands: 'folders',
    letters: 'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
    valued: 'ITw',
    long:
      'all almost-all author escape block-size= ignore-backups color? directory classify? file-type format= full-time ' +
      'group-directories-first no-group human-readable si hide= indicator-style= inode ignore= kibibytes literal numeric-uid-gid ' +
      'quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= zero',
  },
  // Not -o, which writes; not -l, which follows links; not -R, which writes pages. Letters behind one with a value are options too.
  tree: {
    operands: 'folders',
    alone: true,
    letters: 'aAcCdDfFghiNnpqQrstuUv',
    valued: 'ILP',
    long: 'dirsfirst noreport gitignore prune charset= filelimit= du si inodes matchdirs ignore-case sort?',
  },
  stat: { operands: 'files', letters: 'Lft', valued: 'c', long: 'dereference file-system format= printf= terse' },
  // Not -C, which writes; not -z, which runs programs that unpack.
  file: { operands: 'files', letters: 'bhikLNn0', long: 'brief mime mime-type mime-encoding dereference no-dereference no-pad' },
  du: {
    operands: 'folders',
    letters: 'abchHkmsSx0l',
    valued: 'dBt',
    long: 'all apparent-size bytes total human-readable max-depth= summarize separate-dirs one-file-system exclude= block-size= si time?',
  },
  df: { operands: 'files', letters: 'ahHiklmPT', valued: 'Btx', long: 'all human-readable inodes local print-type si total type= block-size=' },
  realpath: {
    operands: 'files',
    letters: 'emLPqsz',
    long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks zero relative-to= relative-base=',
  },
  readlink: { operands: 'files', letters: 'efmnqsvz', long: 'canonicalize canonicalize-existing canonicalize-missing no-newline quiet zero' },
  basename: { operands: 'texts', letters: 'az', valued: 's', long: 'multiple suffix= zero' },
  dirname: { operands: 'texts', letters: 'z', long: 'zero' },
  cd: { operands: 'files', most: 1, letters: 'LPe' },
  pushd: { operands: 'files', most: 1 },
  popd: { operands: 'none' },
  dirs: { operands: 'none', letters: 'lpv' },
  pwd: { operands: 'none', letters: 'LP' },
};
