import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import { webAddress } from '../../../../src/domain/workspace/web-pages.js';
import { checkHost, isPublicAddress } from '../../../../src/node/web/public-address.js';

const check = (address: string): void => checkHost(webAddress(address).hostname, isPublicAddress);

describe('tool-18: addresses that are not of the public internet', () => {
  it.each([
    '0.0.0.0',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '239.1.1.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001:0:53aa::1',
    '2001:db8::1',
    '100::1',
    '',
    'localhost',
    '1.2.3',
  ])('%s is refused', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.15.0.1', '172.32.0.1', '193.99.144.80', '2606:4700::1111', '2a00:1450:4001::8a'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it('every spelling of a private address is seen through', () => {
    const octets = fc.tuple(fc.constantFrom(10, 127), fc.nat(255), fc.nat(255), fc.nat(255));
    const write = (number: number, base: number): string => (base === 16 ? `0x${number.toString(16)}` : base === 8 ? `0${number.toString(8)}` : String(number));
    fc.assert(
      fc.property(octets, fc.constantFrom(8, 10, 16), fc.constantFrom(1, 2, 3, 4), ([a, b, c, d], base, parts) => {
        const rest = [d, c * 256 + d, b * 65_536 + c * 256 + d, ((a * 256 + b) * 256 + c) * 256 + d][4 - parts] ?? 0;
        const numbers = [...[a, b, c].slice(0, parts - 1), rest];
        expect(() => check(`http://${numbers.map((number) => write(number, base)).join('.')}/`)).toThrow(ToolInputError);
      }),
    );
  });

  it.each([
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://printer/',
    'http://nas.local/',
    'http://metadata.google.internal/',
    'http://router.lan/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://127.1/',
    'http://0/',
    'http://１２７.０.０.１/',
    'http://ⓛocalhost/',
    'http://127。0。0。1/',
  ])('%s is refused by what it is written as', (address) => {
    expect(() => check(address)).toThrow(/private network/);
  });

  it('names and addresses of the web pass', () => {
    for (const address of ['https://example.com/', 'http://93.184.215.14/', 'https://[2606:4700::1111]/']) expect(() => check(address)).not.toThrow();
  });
});

describe('webAddress', () => {
  it.each([
    ['https://ok@evil.example/', /name or password before the host evil\.example/],
    ['https://ok.com:x@evil.example/', /name or password/],
    ['ftp://example.com/', /Only addresses with https/],
    ['file:///etc/passwd', /Only addresses/],
    ['javascript:alert(1)', /Only addresses/],
    ['example.com', /no address/],
    ['', /no address/],
    ['http://example.com:22/', /Port 22/],
    ['http://example.com:6667/', /Port 6667/],
    [`https://example.com/${'x'.repeat(2_000)}`, /longer than/],
  ])('%s is refused', (address, problem) => {
    expect(() => webAddress(address)).toThrow(problem);
  });

  it('shows look-alikes as what they are', () => {
    expect(webAddress('https://аpple.com/#x').href).toBe('https://xn--pple-43d.com/');
    expect(webAddress('HTTPS://Example.COM:443/a b').href).toBe('https://example.com/a%20b');
    expect(webAddress('https://ok.com.evil.example\\@x/').hostname).toBe('ok.com.evil.example');
  });
});
