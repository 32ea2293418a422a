/**
 * The files that loading a bundle's entry loads: the entry first, then everything it imports statically.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} entry output path of the entry
 * @returns {string[]} their output paths
 */
export function eagerFiles(metafile, entry) {
  const seen = new Set([entry]);
  for (const path of seen) {
    for (const { kind, path: imported } of metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && metafile.outputs[imported] !== undefined) seen.add(imported);
    }
  }
  return [...seen];
}

/**
 * The files that running a bundle's entry can load: what {@link eagerFiles} has, and what is imported later, however late.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} entry output path of the entry
 * @returns {string[]} their output paths
 */
export function allFiles(metafile, entry) {
  const seen = new Set([entry]);
  for (const path of seen) {
    for (const { path: imported } of metafile.outputs[path]?.imports ?? []) if (metafile.outputs[imported] !== undefined) seen.add(imported);
  }
  return [...seen];
}

/**
 * Prints what each entry loads at once and what a bundle weighs in all.
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {void}
 */
export function reportSizes(metafiles) {
  for (const metafile of metafiles) {
    const outputs = Object.entries(metafile.outputs).filter(([path]) => !path.endsWith('.map'));
    const total = outputs.reduce((sum, [, output]) => sum + output.bytes, 0);
    for (const [path, output] of outputs) {
      if (output.entryPoint === undefined || path.endsWith('.css')) continue;
      console.log(`${path}: ${bytesOf(metafile, path).toLocaleString('en')} bytes at once, ${total.toLocaleString('en')} in all`);
    }
  }
}

/**
 * @param {import('esbuild').Metafile} metafile
 * @param {string} entry output path of an entry
 * @returns {number} what loading it loads, in bytes
 */
function bytesOf(metafile, entry) {
  return eagerFiles(metafile, entry).reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0);
}
