/** First bytes, where they are, and what they mean. Sources: the formats' specifications, and file(1). */
const SIGNATURES: readonly (readonly [string, string, number?])[] = [
  ['%PDF-', 'PDF document'],
  ['PK\x03\x04', 'ZIP archive, or a format made of one'],
  ['PK\x05\x06', 'empty ZIP archive'],
  ['\x1f\x8b', 'gzip data'],
  ['BZh', 'bzip2 data'],
  ['\xfd7zXZ\0', 'xz data'],
  ['\x28\xb5\x2f\xfd', 'Zstandard data'],
  ['7z\xbc\xaf\x27\x1c', '7-Zip archive'],
  ['Rar!\x1a\x07', 'RAR archive'],
  ['ustar', 'tar archive', 257],
  ['\x7fELF', 'ELF program or library'],
  ['MZ', 'Windows program or library'],
  ['\xcf\xfa\xed\xfe', 'Mach-O program or library'],
  ['\xce\xfa\xed\xfe', 'Mach-O program or library'],
  ['\xca\xfe\xba\xbe', 'Java class or Mach-O program'],
  ['\0asm', 'WebAssembly module'],
  ['SQLite format 3\0', 'SQLite database'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'old Microsoft Office document'],
  ['BM', 'BMP image'],
  ['II*\0', 'TIFF image'],
  ['MM\0*', 'TIFF image'],
  ['\0\0\x01\0', 'icon image'],
  ['8BPS', 'Photoshop image'],
  ['ftypheic', 'HEIC image', 4],
  ['ftypavif', 'AVIF image', 4],
  ['ftyp', 'MPEG-4 media', 4],
  ['OggS', 'Ogg media'],
  ['ID3', 'MP3 audio'],
  ['fLaC', 'FLAC audio'],
  ['WAVE', 'WAV audio', 8],
  ['AVI ', 'AVI video', 8],
  ['\x1aE\xdf\xa3', 'Matroska or WebM video'],
  ['wOFF', 'WOFF font'],
  ['wOF2', 'WOFF2 font'],
  ['OTTO', 'OpenType font'],
  ['\0\x01\0\0', 'TrueType font'],
  ['PAR1', 'Parquet data'],
  ['PACK', 'Git pack'],
  ['\x89HDF\r\n\x1a\n', 'HDF5 data'],
];
/** Bytes that decide. */
const HEAD_BYTES = 262;

/** What a binary file is by its first bytes, whatever its name says; `undefined` when they say nothing. */
export function binaryTypeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString('latin1');
  return SIGNATURES.find(([signature, , at = 0]) => head.startsWith(signature, at))?.[1];
}

/** Whether bytes are a PDF document, which may pass for text and is none. */
export function isPdf(bytes: Uint8Array): boolean {
  return binaryTypeOf(bytes) === 'PDF document';
}
