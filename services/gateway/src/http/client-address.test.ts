import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { createClientAddressResolver } from './client-address.ts';

const from = (remoteAddress: string, forwardedFor?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwardedFor } }) as never;

test('without trusted proxies X-Forwarded-For is ignored', () => {
  const addressOf = createClientAddressResolver([]);
  expect(addressOf(from('10.0.0.1', '203.0.113.9'))).toBe('10.0.0.1');
});

test('behind trusted proxies the right-most other address counts', () => {
  const addressOf = createClientAddressResolver(['10.0.0.0/8', 'fd00::/8']);
  expect(addressOf(from('10.0.0.1', '1.1.1.1, 203.0.113.9'))).toBe('203.0.113.9');
  expect(addressOf(from('10.0.0.1', '1.1.1.1, 203.0.113.9, 10.9.9.9'))).toBe('203.0.113.9');
  expect(addressOf(from('fd00::1', '2001:db8::1'))).toBe('2001:db8::1');
  expect(addressOf(from('203.0.113.9', '1.1.1.1'))).toBe('203.0.113.9');
});

test('text that is no address ends the search', () => {
  const addressOf = createClientAddressResolver(['10.0.0.1']);
  expect(addressOf(from('10.0.0.1', 'unknown'))).toBe('10.0.0.1');
  expect(addressOf(from('10.0.0.1', '1.1.1.1, <script>'))).toBe('10.0.0.1');
});

test('an IPv4 peer of a dual-stack socket has its IPv4 address', () => {
  const addressOf = createClientAddressResolver(['10.0.0.1']);
  expect(addressOf(from('::ffff:10.0.0.1', '::ffff:192.0.2.1'))).toBe('192.0.2.1');
});

test('every network that TRUST_PROXY accepts works', () => {
  const forwarded = (network: string, peer: string) =>
    createClientAddressResolver([network])(from(peer, '203.0.113.9'));
  for (const [network, peer] of [
    ['0.0.0.0/0', '192.0.2.1'],
    ['::/0', '2001:db8::1'],
    ['::ffff:10.0.0.0/104', '10.0.0.1'],
    ['fe80::/10', 'fe80::1%eth0'],
  ] as const) {
    expect([network, forwarded(network, peer)]).toEqual([network, '203.0.113.9']);
  }
});
