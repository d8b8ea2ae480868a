import { expect, it } from '@jest/globals';
import { httpAddress } from './http-address.ts';

it('brackets addresses of IPv6 and replaces those that mean everywhere', () => {
  const hosts = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'];
  expect(hosts.map((host) => httpAddress(host, 8080))).toEqual([
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'http://localhost:8080',
  ]);
});
