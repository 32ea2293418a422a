import type { SimpleCommand } from '../../domain/tool/command-analysis.js';
import { DOUBT } from '../shell/doubts.js';
import type { Line } from './flows.js';
import type { RiskKind } from './kinds.js';
import type { Part } from './part.js';

const SHELLS = /^(?:ba|da|a|z|k|mk|rba|fi|c|tc|pw)?sh$/;
const LANGUAGES = /^(?:python|pypy|node|nodejs|perl|ruby|php|deno|bun|tsx|ts-node|lua|luajit|osascript|rscript|tclsh|groovy|julia|elixir)[\d.]*$/;
/** Options behind which the code itself stands. */
const CODE = /^(?:-\w*[ceEpr]|--eval|--print|--command|eval)$/;
/** Paths that mean standard input or a pipe, from which a program reads its code. */
const PIPES: ReadonlySet<string> = new Set(['/dev/fd/63', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);
/** Code that makes code out of an unreadable text, in the usual languages. */
const DECODES = /b64decode|decode64|fromhex|unhexlify|base64_decode|gzinflate|atob\(|['"](?:base64|hex)['"]|unpack\(['"](?:H|m)/;
const EVALUATES = /\b(?:exec|eval|system|Function|popen|spawn|require|instance_eval|assert)\b/;

/** Risks of code that a command runs and that the line does not show. */
export function codeRisks(part: Part, line: Line): readonly RiskKind[] {
  const { command, name } = part;
  const sources = codeOf(part);
  const { downloaded, decoded } = line.flowOfAll(sources);
  const isShell = command.runsUnknown === true || SHELLS.test(name) || name === '.' || name === 'source' || command.words[0] === undefined;
  const unknown =
    isShell &&
    (sources.length > 0 ||
      (command.runsUnknown === true && (command.input !== undefined || command.words.includes(undefined))) ||
      (command.words.length > 0 && command.words[0] === undefined));
  const hidden = LANGUAGES.test(name) && part.texts.some((text, index) => CODE.test(part.texts[index - 1] ?? '') && DECODES.test(text) && EVALUATES.test(text));
  return [
    ...(downloaded || scriptsOf(part).some((path) => line.isFetched(path)) || runsAddress(part) ? ['runsDownload' as const] : []),
    ...(decoded || hidden ? ['runsHidden' as const] : []),
    ...(unknown ? ['runsUnknown' as const] : []),
  ];
}

/** The commands whose output a command runs. */
function codeOf(part: Part): readonly SimpleCommand[] {
  const { command, name, texts } = part;
  const { input = [], expanded = [] } = command;
  if (command.words.length > 0 && command.words[0] === undefined) return expanded;
  if (command.runsUnknown === true) return [...input, ...expanded];
  // `xargs -I % sh -c %` puts its input in the place of the program.
  if (/\{\}|%/.test(name)) return command.doubts.includes(DOUBT.input) ? input : [];
  const isShell = SHELLS.test(name) || name === '.' || name === 'source';
  if (!isShell && !LANGUAGES.test(name)) return [];
  const script = part.operands(/^-[WXrIm]$/)[0];
  const coded = texts.some((text, index) => CODE.test(text) && command.words[index + 1 + command.words.length - texts.length] === undefined);
  if (coded) return expanded;
  if (script !== undefined && PIPES.has(script)) return [...input, ...expanded];
  const isFed = script === undefined && !texts.some((text) => CODE.test(text) || /^--?(?:v|version|help)$/i.test(text));
  return (isFed && !command.words.includes(undefined)) || texts[0] === '-' ? input : [];
}

/** The files that a command runs. */
function scriptsOf(part: Part): readonly string[] {
  const { command, name } = part;
  const program = command.words[0] ?? '';
  const isScripted = SHELLS.test(name) || LANGUAGES.test(name) || name === '.' || name === 'source';
  const script = isScripted ? (part.operands(/^-[WXrI]$/)[0] ?? '') : program.includes('/') ? program : '';
  return script === '' ? [] : part.pathsOf(script);
}

/** Whether a program that can do so runs code from the network: `deno run https://…`. */
function runsAddress(part: Part): boolean {
  return (part.name === 'deno' || part.name === 'bun') && part.operands().some((text) => /^https?:\/\//.test(text));
}
