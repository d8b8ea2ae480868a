import { expect, it } from '@jest/globals';
import { findFreePort, reservePort } from './find-free-port.ts';

it('is never one that an outgoing connection may get while the server is down', async () => {
  const found = await Promise.all(Array.from({ length: 20 }, findFreePort));
  // The ephemeral ports of Linux; those of other systems are above.
  expect(found.filter((port) => port < 1_024 || port >= 32_768)).toEqual([]);
});

it('is found once, so that PostgreSQL gets none that is planned for a service', async () => {
  const planned = await Promise.all(Array.from({ length: 300 }, findFreePort));
  const found = await Promise.all(Array.from({ length: 100 }, findFreePort));
  expect(new Set([...planned, ...found]).size).toBe(400);
});

it('is none that is reserved, and is found where the block of this process is used up', async () => {
  const own = (await findFreePort()) - 20_000;
  const first = 20_000 + own - (own % 1_000);
  Array.from({ length: 1_000 }, (_, index) => first + index).forEach(reservePort);
  const found = await Promise.all(Array.from({ length: 20 }, findFreePort));
  expect(found.filter((port) => port >= first && port < first + 1_000)).toEqual([]);
});
