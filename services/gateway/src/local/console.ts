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
const shellPlaceholder = '__SHELL__';
const schemePlaceholder = '__COLOR_SCHEME__';

type ConsoleOptions = {
  readonly dir: string;
  readonly log: Logger;
  /** Null where operators do not sign in. */
  readonly sessionCookieName: string | null;
  readonly isHttps: boolean;
};

/**
 * Creates the operators' console: its files, and its page for every path of the single-page application. Null
 * when it is not built, or cannot be read. All files are read at start, so no request reaches the disk.
 */
export const createConsole = ({
  dir,
  log,
  sessionCookieName,
  isHttps,
}: ConsoleOptions): Console | null => {
  const files = readFiles(dir, log);
  const index = files.get(indexPath);
  if (!index) {
    return null;
  }
  const html = index.plain.toString('utf8');
  // With a session, the page shows the frame of the console before any script runs.
  const send = (context: RequestContext): void => {
    const hasFrame = sessionCookieName === null || hasCookie(context, sessionCookieName);
    sendPage(context, {
      page: html
        .replace(shellPlaceholder, hasFrame ? 'app' : 'public')
        .replace(schemePlaceholder, colorSchemeOf(context)),
      hasForeignImages: cookiesOf(context).includes(`${imagesCookieName(isHttps)}=all`),
    });
  };
  const assets = [...files.values()].filter(({ path }) => path !== indexPath);
  return {
    routes: [startPage(send), ...assets.map(assetRoute)],
    serveConsolePage: (context, path) => {
      const isPage =
        wantsPage(context) && !/^\/(?:api|internal|mcp|packages|\.well-known)(?:\/|$)/.test(path);
      if (isPage) {
        context.logFields.route = '/*';
        send(context);
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

const startPage = (send: (context: RequestContext) => void): LocalRoute => ({
  path: '/',
  handle: (context) => {
    if (!wantsPage(context)) {
      throw new AppError('route_not_found');
    }
    send(context);
  },
});

const assetRoute = (file: ConsoleFile): LocalRoute => ({
  path: file.path,
  ...(file.path.startsWith('/assets/') ? { label: '/assets/*' } : {}),
  handle: (context) => sendSharedFile(context, file),
});

const wantsPage = ({ req }: RequestContext): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  (req.headers.accept ?? '').includes('text/html');

type Page = { readonly page: string; readonly hasForeignImages: boolean };

/** Sends the page with a new nonce, so clients must not cache it. */
const sendPage = (context: RequestContext, { page, hasForeignImages }: Page): void => {
  const nonce = randomBytes(16).toString('base64');
  sendLocalResponse(context.res, {
    status: 200,
    body: page.replaceAll(noncePlaceholder, nonce),
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(nonce, hasForeignImages),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      'Cache-Control': 'no-cache',
      Vary: 'Accept, Cookie',
    },
  });
};

/**
 * The name of the cookie that allows images of other servers in notes. The console sets it when its user chooses them.
 * Over HTTPS no other host of the site can set it.
 */
const imagesCookieName = (isHttps: boolean): string =>
  isHttps ? '__Host-commonplace_images' : 'commonplace_images';

/** The colour scheme that was chosen in the console, by the cookie that it sets then: so it is there before any script. */
const colorSchemeOf = (context: RequestContext): string =>
  ['dark', 'light'].find((scheme) =>
    cookiesOf(context).includes(`commonplace_color_scheme=${scheme}`),
  ) ?? 'auto';

const hasCookie = (context: RequestContext, name: string): boolean =>
  cookiesOf(context).some((pair) => pair.startsWith(`${name}=`));

const cookiesOf = ({ req }: RequestContext): readonly string[] =>
  (req.headers.cookie ?? '').split(/; */);

/**
 * The content security policy. Scripts are only loaded from this origin. Mantine writes its theme into `<style>`
 * elements at run time; they carry the nonce, so that `'unsafe-inline'` is not needed. An image of another server
 * discloses to it who reads what, and can carry text out of a note, so a browser loads them only where its user chose to.
 */
const policyOf = (nonce: string, hasForeignImages: boolean): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:${hasForeignImages ? ' https:' : ''}`,
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
