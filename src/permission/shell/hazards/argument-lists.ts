import { type Word, literal } from '../words/word.js';

/**
 * Programs that take `@file` for the arguments in that file, which are known only at run time. Sources: GNU binutils and GCC, Overall Options;
 * clang, response files; javac, command-line argument files; rustc, `@path`; pytest, `@file`; mypy; MSBuild, csc and swiftc, response
 * files; 7-Zip, list files; GHC, kotlinc and scalac, argument files.
 */
const PROGRAMS: ReadonlySet<string> = new Set([
  ...[
    'gcc',
    'g++',
    'cc',
    'c++',
    'gfortran',
    'cpp',
    'gcov',
    'clang',
    'clang++',
    'ld',
    'lld',
    'gold',
    'ar',
    'as',
    'nm',
    'objdump',
    'objcopy',
    'readelf',
    'elfedit',
  ],
  ...[
    'size',
    'strings',
    'strip',
    'ranlib',
    'c++filt',
    'addr2line',
    'gprof',
    'windres',
    'dlltool',
    'java',
    'javac',
    'javadoc',
    'javap',
    'jar',
    'jlink',
    'jpackage',
    'jdeps',
  ],
  ...[
    'rustc',
    'rustdoc',
    'pytest',
    'mypy',
    'dmypy',
    'msbuild',
    'dotnet',
    'csc',
    'vbc',
    'swiftc',
    '7z',
    '7za',
    '7zr',
    '7zz',
    'ghc',
    'kotlinc',
    'kotlin',
    'scalac',
    'scala',
    'groovyc',
  ],
]);
/** Prefix and suffix of their names: the target machine, and a version (`x86_64-linux-gnu-gcc-12`). */
const AROUND = /^(?:\w+-\w+-(?:\w+-)?)?(.+?)(?:-[\d.]+)?$/;

/** Whether a program is given a file with further arguments. */
export function takesList(name: string, words: readonly Word[]): boolean {
  const program = /^(?:python[\d.]*|pypy[\d.]*)$/.test(name) && literal(words[0]) === '-m' ? literal(words[1]) : (AROUND.exec(name)?.[1] ?? name);
  return program !== undefined && PROGRAMS.has(program) && words.some(({ text, beginning }) => (text ?? beginning).startsWith('@'));
}
