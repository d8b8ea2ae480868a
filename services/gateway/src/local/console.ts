import { randomBytes } from 'node:crypto';
import { AppError } from '@commonplace/contracts';
import type { Logger } from '@commonplace/http/core';
import { sendLocalResponse, type LocalRoute } from '../http/local-response.ts';
import type { RequestContext } from '../http/request-context.ts';
import { readConsoleFiles, type ConsoleFile } from './console-files.ts';
import { sendSharedFile } from './shared-file.ts';

/** Sends the console's page if a browser requests a path that may show it. Returns whether it did. */
export type ServeConsolePage = (context: RequestContext, path: string) => boolean;

type Console = {
  readonly routes: readonly LocalRoute[];
  readonly serveConsolePage: ServeConsolePage;
};

const indexPath = '/index.html';
const noncePlaceholder = '__CSP_NONCE__';

/**
 * Creates the operators' console: its files, and its page for every path of the single-page application. Null
 * when it is not built, or cannot be read. All files are read at start, so no request reaches the disk.
 */
export const createConsole = (dir: string, log: Logger): Console | null => {
  const files = readFiles(dir, log);
  const index = files.get(indexPath);
  if (!index) {
    return null;
  }
  const page = index.plain.toString('utf8');
  const assets = [...files.values()].filter(({ path }) => path !== indexPath);
  return {
    routes: [startPage(page), ...assets.map(assetRoute)],
    serveConsolePage: (context, path) => {
      const isPage =
        wantsPage(context) && !/^\/(?:api|internal|mcp|packages|\.well-known)(?:\/|$)/.test(path);
      if (isPage) {
        context.logFields.route = '/*';
        sendPage(context, page);
      }
      return isPage;
    },
  };
};

/** Who built the console and who runs the gateway may be two users. Everything else works without it. */
const readFiles = (dir: string, log: Logger): ReadonlyMap<string, ConsoleFile> => {
  try {
    return readConsoleFiles(dir);
  } catch (error) {
    log.error(
      { err: error, dir },
      'the console is left out: the user of the gateway cannot read it',
    );
    return new Map();
  }
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
  handle: (context) => sendSharedFile(context, file),
});

const wantsPage = ({ req }: RequestContext): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  (req.headers.accept ?? '').includes('text/html');

/** Sends the page with a new nonce, so clients must not cache it. */
const sendPage = (context: RequestContext, page: string): void => {
  const nonce = randomBytes(16).toString('base64');
  sendLocalResponse(context.res, {
    status: 200,
    body: page.replaceAll(noncePlaceholder, nonce),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
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
 * The content security policy. Scripts are only loaded from this origin. Mantine writes its theme into `<style>`
 * elements at run time; they carry the nonce, so that `'unsafe-inline'` is not needed.
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
