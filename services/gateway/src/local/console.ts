import { randomBytes } from 'node:crypto';
import { AppError } from '@commonplace/contracts';
import type { RequestContext } from '../http/request-context.ts';
import { readConsoleFiles, type ConsoleFile } from './console-files.ts';
import { applyPendingHeaders } from '../http/pending-headers.ts';
import type { LocalRoute } from './local-route.ts';
import { sendFile } from './send-file.ts';
import { sendText } from './send-text.ts';

/** Answers with the console's page if it may stand at this path, and says whether it did. */
export type ServeConsolePage = (context: RequestContext, path: string) => boolean;

type Console = {
  readonly routes: readonly LocalRoute[];
  readonly serveConsolePage: ServeConsolePage;
};

const indexPath = '/index.html';
const noncePlaceholder = '__CSP_NONCE__';

/**
 * The operators' console: its files, and its page wherever a browser asks for one. Null when it is
 * not built. Only paths known from the start are answered, so no request ever reaches the disk.
 */
export const createConsole = (dir: string): Console | null => {
  const files = readConsoleFiles(dir);
  const index = files.get(indexPath);
  if (!index) {
    return null;
  }
  const page = index.plain.toString('utf8');
  const assets = [...files.values()].filter(({ path }) => path !== indexPath);
  return {
    routes: [startPage(page), ...assets.map(assetRoute)],
    serveConsolePage: (context, path) => {
      const isPage = wantsPage(context) && !/^\/(?:api|internal)(?:\/|$)/.test(path);
      if (isPage) {
        applyPendingHeaders(context.res);
        context.logFields.route = '/*';
        sendPage(context, page);
      }
      return isPage;
    },
  };
};

const startPage = (page: string): LocalRoute => ({
  path: '/',
  handle: (context) => {
    if (!wantsPage(context)) {
      throw new AppError('route_not_found');
    }
    sendPage(context, page);
  },
});

const assetRoute = (file: ConsoleFile): LocalRoute => ({
  path: file.path,
  handle: (context) => sendFile(context, file),
});

const wantsPage = ({ req }: RequestContext): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  (req.headers.accept ?? '').includes('text/html');

/** Every answer has a nonce of its own, so the page is small, and is never kept. */
const sendPage = (context: RequestContext, page: string): void => {
  const nonce = randomBytes(16).toString('base64');
  sendText(context, {
    contentType: 'text/html',
    body: page.replaceAll(noncePlaceholder, nonce),
    headers: {
      'Content-Security-Policy': policyOf(nonce),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      'Cache-Control': 'no-cache',
      Vary: 'Accept',
    },
  });
};

/**
 * Scripts come from our files only. Mantine writes its theme into `<style>` elements at run time:
 * they carry the nonce, so that no other inline style is obeyed, let alone `'unsafe-inline'`.
 */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
