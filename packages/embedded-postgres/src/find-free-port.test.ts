import { expect, it } from '@jest/globals';
import { findFreePort } from './find-free-port.ts';

it('is never one that an outgoing connection may get while the server is down', async () => {
  const found = await Promise.all(Array.from({ length: 20 }, findFreePort));
  // The ephemeral ports of Linux; those of other systems are above.
  expect(found.filter((port) => port < 1_024 || port >= 32_768)).toEqual([]);
});
