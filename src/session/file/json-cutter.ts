import { randomBytes } from 'node:crypto';
import { InvalidDataError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';

/** A picture whose base64 was left out of the text. */
export interface LeftOut {
  /** Place of its first byte in the file. */
  readonly offset: number;
  /** Bytes of base64. */
  readonly length: number;
}

/** Sizes in bytes, smaller in tests. */
export interface CutterSizes {
  /** Pieces of text are at least so long, but for the last one. */
  readonly piece: number;
  /** The shortest picture that is left out. */
  readonly picture: number;
}

const SIZES: CutterSizes = { piece: 64 * 1024, picture: 32 * 1024 };

/** The longest piece. A string in JavaScript holds about 512 million characters. */
const MAX_PIECE = 256 * 1024 * 1024;

/** Levels of JSON around an item of `messages`, and around the fields of a block of its content. */
const ITEM_DEPTH = 2;
const BLOCK_DEPTH = 5;

const CODES = { QUOTE: 0x22, BACKSLASH: 0x5c, COLON: 0x3a, EQUALS: 0x3d, OPEN_LIST: 0x5b, CLOSE_LIST: 0x5d, OPEN_OBJECT: 0x7b, CLOSE_OBJECT: 0x7d } as const;
const SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x0a, 0x0d, 0x09]);

/** 1 for the bytes that base64 is made of. */
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0));

/** A picture while its bytes come. */
interface Picture {
  readonly offset: number;
  padding: number;
  valid: boolean;
}

/**
 * Cuts the bytes of a v1 file into pieces of text that can be read one after the other, and leaves long pictures out, so that
 * neither file nor pictures need be in memory as a whole.
 *
 * A cut is made after a bracket that closes outside of `messages[n]`: no token is divided. In the place of a picture stands a
 * mark that nobody can know before. Only a field `data` of a block is taken for a picture: any other string in that place is one
 * that the reader drops. What is no valid base64 stays in the text, to be refused there.
 */
export class JsonCutter {
  /** What was left out, in the order of the file. */
  readonly pictures: LeftOut[] = [];
  private readonly mark = `picture ${randomBytes(16).toString('hex')} `;
  private readonly pieces: string[] = [];
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private bytes: Uint8Array = new Uint8Array();
  /** Place of `bytes` in the file, and how many of them were taken. */
  private offset = 0;
  private taken = 0;
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** How the present or last string begins: as much as tells whether it is `data`. */
  private prefix = '';
  private key: 'data' | 'data:' | undefined;
  private picture: Picture | undefined;

  /** @param reread gives bytes of the file again that were fed before. */
  constructor(
    private readonly reread: (place: LeftOut) => Uint8Array,
    private readonly sizes: CutterSizes = SIZES,
  ) {}

  /** Whether {@link next} has a piece. */
  get isReady(): boolean {
    return this.pieces.length > 0;
  }

  /** The next piece; `undefined` when more must be fed before there is one. */
  next(): string | undefined {
    return this.pieces.shift();
  }

  /** Which of the pictures a text stands for. */
  indexOf(text: string): number | undefined {
    return text.startsWith(this.mark) ? Number(text.slice(this.mark.length)) : undefined;
  }

  /** Takes the next bytes, which the caller may use for others then. */
  feed(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.taken = 0;
    for (let at = 0; at < bytes.length; ) at = this.inString ? this.throughString(at) : this.throughToken(at);
    this.take(bytes.length);
    this.offset += bytes.length;
    this.bytes = new Uint8Array();
  }

  /** There are no more bytes. */
  end(): void {
    this.taken = 0;
    if (this.picture !== undefined) this.endPicture(0, false);
    if (this.pendingBytes > 0) this.cut();
  }

  private throughToken(at: number): number {
    const byte = this.bytes[at];
    if (byte === CODES.QUOTE) this.openString(at + 1);
    else if (byte === CODES.COLON) this.key = this.key && 'data:';
    else if (!SPACES.has(byte)) {
      this.key = undefined;
      if (byte === CODES.OPEN_LIST || byte === CODES.OPEN_OBJECT) this.depth += 1;
      else if (byte === CODES.CLOSE_LIST || byte === CODES.CLOSE_OBJECT) this.close(at + 1);
    }
    return at + 1;
  }

  private close(end: number): void {
    this.depth -= 1;
    if (this.depth > ITEM_DEPTH || this.pendingBytes + end - this.taken < this.sizes.piece) return;
    this.take(end);
    this.cut();
  }

  private openString(start: number): void {
    this.inString = true;
    this.prefix = '';
    if (this.key === 'data:') {
      this.take(start);
      this.picture = { offset: this.offset + start, padding: 0, valid: true };
    }
    this.key = undefined;
  }

  private throughString(at: number): number {
    const end = this.stringEnd(at);
    const to = end ?? this.bytes.length;
    if (this.picture !== undefined) checkPicture(this.picture, this.bytes, at, to);
    else if (this.prefix.length <= 'data'.length) this.prefix += String.fromCharCode(...this.bytes.subarray(at, Math.min(to, at + 5)));
    if (end === undefined) return to;
    this.inString = false;
    if (this.picture !== undefined) this.endPicture(end, true);
    else if (this.depth === BLOCK_DEPTH && this.prefix === 'data') this.key = 'data';
    return end + 1;
  }

  /** Where the string ends that goes on at a place: at the next quote that an even number of backslashes precedes. */
  private stringEnd(at: number): number | undefined {
    const { bytes } = this;
    for (let from = at; ; ) {
      const quote = bytes.indexOf(CODES.QUOTE, from);
      const stop = quote < 0 ? bytes.length : quote;
      let run = stop;
      while (run > at && bytes[run - 1] === CODES.BACKSLASH) run -= 1;
      const odd = (stop - run + (run === at && this.escaped ? 1 : 0)) % 2 === 1;
      if (quote >= 0 && odd) from = quote + 1;
      else {
        this.escaped = odd;
        return quote < 0 ? undefined : quote;
      }
    }
  }

  private endPicture(end: number, closed: boolean): void {
    if (this.picture === undefined) return;
    const { offset, valid } = this.picture;
    const place = { offset, length: this.offset + end - offset };
    this.picture = undefined;
    this.taken = end;
    if (closed && valid && place.length >= this.sizes.picture && place.length % 4 === 0) {
      this.push(Buffer.from(this.mark + String(this.pictures.length)));
      this.pictures.push(place);
    } else this.push(offset >= this.offset ? new Uint8Array(this.bytes.subarray(offset - this.offset, end)) : this.reread(place));
  }

  /** Keeps the bytes up to a place as text, unless they are of a picture. */
  private take(end: number): void {
    if (this.picture === undefined && end > this.taken) this.push(new Uint8Array(this.bytes.subarray(this.taken, end)));
    this.taken = end;
  }

  private push(bytes: Uint8Array): void {
    this.pending.push(bytes);
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > MAX_PIECE) throw new InvalidDataError('', t('a message in it is larger than {0} MB', MAX_PIECE / 1024 / 1024));
  }

  private cut(): void {
    this.pieces.push(Buffer.concat(this.pending, this.pendingBytes).toString('utf8'));
    this.pending = [];
    this.pendingBytes = 0;
  }
}

/** Goes on checking the base64 of a picture: padding may only stand at its end. */
function checkPicture(picture: Picture, bytes: Uint8Array, from: number, to: number): void {
  // Padding can only be among the last two bytes, so that nearly all is looked at in the fast way.
  const most = Math.max(from, to - 2);
  const plain = picture.padding === 0 && isBase64(bytes.subarray(from, most));
  for (let at = plain ? most : from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === CODES.EQUALS && picture.padding < 2) picture.padding += 1;
    else if (picture.padding > 0 || IS_BASE64[byte] !== 1) picture.valid = false;
  }
}

/** A loop without branches: a picture has millions of bytes. */
function isBase64(bytes: Uint8Array): boolean {
  let all = 1;
  for (let at = 0; at < bytes.length; at += 1) all &= IS_BASE64[bytes[at] as number] as number;
  return all === 1;
}
