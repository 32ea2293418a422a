import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** What is special about a document. */
export interface PdfOptions {
  /** Encrypts it (40-bit RC4, as PDF 1.3 has it), so that it opens with this password alone. */
  readonly password?: string;
  /** A content stream in place of those of the pages. */
  readonly stream?: Buffer;
}

/** Writes a PDF document with a page of lines for each text. Source of the format: ISO 32000-1. */
export function pdfOf(pages: readonly string[], { password, stream }: PdfOptions = {}): Buffer {
  const key = password === undefined ? undefined : new EncryptionKey(password);
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    ...pages.flatMap((text, index) => {
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`;
      const plain = deflateSync(stream ?? Buffer.from(contentOf(text), 'latin1'));
      const data = key?.encrypted(plain, 5 + 2 * index) ?? plain;
      return [Buffer.from(page), Buffer.concat([Buffer.from(`<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n`), data, Buffer.from('\nendstream')])];
    }),
    ...(key === undefined ? [] : [key.dictionary]),
  ];
  return fileOf(objects, key === undefined ? '' : ` /Encrypt ${objects.length} 0 R /ID [<${ID.toString('hex')}> <${ID.toString('hex')}>]`);
}

function contentOf(text: string): string {
  if (text === '') return '0 0 100 100 re f';
  const lines = text.split('\n').map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`);
  return `BT /F1 12 Tf 72 720 Td ${lines.join('\n')} ET`;
}

function fileOf(objects: readonly Buffer[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let length = 9;
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(length);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${trailer} >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

const ID = Buffer.alloc(16, 7);
/** What passwords are filled up with. Source: ISO 32000-1, 7.6.3.3. */
const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const PERMISSIONS = -4;

class EncryptionKey {
  readonly dictionary: Buffer;
  private readonly key: Buffer;

  constructor(password: string) {
    const padded = Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);
    const owner = rc4(md5(padded).subarray(0, 5), padded);
    const permissions = Buffer.alloc(4);
    permissions.writeInt32LE(PERMISSIONS);
    this.key = md5(Buffer.concat([padded, owner, permissions, ID])).subarray(0, 5);
    const user = rc4(this.key, PADDING);
    this.dictionary = Buffer.from(`<< /Filter /Standard /V 1 /R 2 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> /P ${PERMISSIONS} >>`);
  }

  encrypted(data: Buffer, object: number): Buffer {
    return rc4(md5(Buffer.concat([this.key, Buffer.from([object & 0xff, object >> 8, 0, 0, 0])])).subarray(0, 10), data);
  }
}

function md5(data: Buffer): Buffer {
  return createHash('md5').update(data).digest();
}

/** Node comes without it. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number): number => state[index] ?? 0;
  const swap = (a: number, b: number): void => void ([state[a], state[b]] = [at(b), at(a)]);
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 0xff;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 0xff;
      j = (j + at(i)) & 0xff;
      swap(i, j);
      return byte ^ at((at(i) + at(j)) & 0xff);
    }),
  );
}
