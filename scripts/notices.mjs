import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The licenses of every package that a build bundled, as one text.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @param {readonly string[]} copied folders of packages whose files are shipped as they are
 * @returns {Promise<string>}
 * @throws {Error} when a bundled package comes without a license text
 */
export async function collectNotices(metafiles, copied) {
  const folders = new Set([...copied, ...metafiles.flatMap((metafile) => Object.keys(metafile.inputs)).flatMap(packageFolder)]);
  const notices = await Promise.all([...folders].sort().map(noticeOf));
  return `Gnomon contains the following third-party software.\n\n${notices.join('\n')}`;
}

/** @param {string} input a bundled file @returns {string[]} the folder of its package, if it is a third party's */
function packageFolder(input) {
  const match = /^(?:.*?:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
  return match?.[1] === undefined ? [] : [match[1]];
}

/** What packages contain of others without saying so in their license texts. The text of the Apache License is among the other ones. @type {Record<string, string>} */
const CONTAINED = { unpdf: 'Contains PDF.js, Copyright Mozilla Foundation, licensed under the Apache License, Version 2.0.' };

/** @param {string} folder @returns {Promise<string>} */
async function noticeOf(folder) {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = await readdir(folder);
  const file = files.find((name) => /^(licen[cs]e|copying)/i.test(name));
  if (file === undefined && manifest.license === undefined) throw new Error(`${folder} has no license`);
  const text = file === undefined ? `License: ${manifest.license}` : await readFile(join(folder, file), 'utf8');
  const contained = CONTAINED[manifest.name];
  return `${'='.repeat(80)}\n${manifest.name} ${manifest.version} (${manifest.license})\n${'='.repeat(80)}\n\n${[text.trim(), ...(contained === undefined ? [] : [contained])].join('\n\n')}\n`;
}
