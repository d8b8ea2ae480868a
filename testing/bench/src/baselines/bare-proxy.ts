import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { asChild } from '../child.ts';

/** The baseline of a proxy: http-proxy-middleware with a keep-alive agent. */
asChild(async ({ target }: { readonly target: string }) => {
  const proxy = createProxyMiddleware({
    target,
    changeOrigin: true,
    agent: new Agent({ keepAlive: true, maxFreeSockets: 256 }),
  });
  const server = createServer((req, res) => void proxy(req, res));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
});
