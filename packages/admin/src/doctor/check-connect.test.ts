import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { checkConnect } from './check-connect.ts';

let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((_req, res) => res.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const missesHttps = async (env: Readonly<Record<string, string>>): Promise<boolean> => {
  const about = { adminUrl: null, dataDir: null, isInImage: false, isBeforeFirstStart: false };
  const findings = await checkConnect({ url, env, ...about });
  return findings.some(({ detail }) => detail.includes('is not https'));
};

it('warns that hosts elsewhere need https where others than this machine are meant to connect', async () => {
  expect(await missesHttps({ DEPLOYMENT_MODE: 'authenticated' })).toBe(true);
  expect(await missesHttps({ DEPLOYMENT_MODE: 'local_trusted', PUBLIC_URL: url })).toBe(false);
});

it('knows that by PUBLIC_URL where the mode is not set', async () => {
  expect(await missesHttps({ PUBLIC_URL: url })).toBe(true);
  expect(await missesHttps({})).toBe(false);
});
