/**
 * Bytes of a bundle's entry with everything it imports statically: what loading the entry loads.
 * @param {import('esbuild').Metafile} metafile
 * @param {string} entry output path of the entry
 * @returns {number}
 */
export function eagerBytes(metafile, entry) {
  const seen = new Set();
  const queue = [entry];
  let bytes = 0;
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const output = metafile.outputs[path];
    if (output === undefined || seen.has(path)) continue;
    seen.add(path);
    bytes += output.bytes;
    queue.push(...output.imports.filter((each) => each.kind === 'import-statement').map((each) => each.path));
  }
  return bytes;
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
      console.log(`${path}: ${eagerBytes(metafile, path).toLocaleString('en')} bytes at once, ${total.toLocaleString('en')} in all`);
    }
  }
}
