import { join } from 'node:path';
import { createServer } from 'vite';
import { viteOptions } from './vite-options.ts';

// oxlint-disable-next-line node/no-process-env -- a development tool without a configuration schema
const gateway = new URL(process.env['CONSOLE_GATEWAY'] ?? 'http://127.0.0.1:8080').origin;
const root = join(import.meta.dirname, '..');

/** The console with hot reloading, in front of a running gateway, without its content security policy. */
const server = await createServer({
  ...viteOptions({ root, outDir: join(root, 'dist') }),
  logLevel: 'info',
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': {
        target: gateway,
        changeOrigin: true,
        configure: (proxy) =>
          proxy.on('proxyReq', (toGateway, req) => {
            // Only requests of this page get the gateway's origin; those of other sites keep theirs.
            if (req.headers.origin === `http://${req.headers.host}`) {
              toGateway.setHeader('Origin', gateway);
            }
          }),
      },
    },
  },
});
await server.listen();
server.printUrls();
