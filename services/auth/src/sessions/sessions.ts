import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId, sessionId } from '@commonplace/contracts/core';
import {
  clearedSessionCookie,
  sessionCookieName,
  sessionDigest,
  signedSessionCookie,
} from '@commonplace/identity';
import session from 'express-session';
import { clientOf } from './client-of.ts';
import { cookieAtEnd, rememberDevice } from './remember-device.ts';
import { SessionStore, type StoreDeps } from './session-store.ts';
import type { SignedIn } from './signed-in.ts';

/** As many as express-session's. */
const sidBytes = 24;

/** The raw request and response, which express-session needs. */
export type RawExchange = { readonly req: IncomingMessage; readonly res: ServerResponse };

/** Whose session starts, and how it was signed in. */
type SessionStart = Pick<
  SignedIn,
  'operatorId' | 'epoch' | 'amr' | 'passkeyId' | 'provider' | 'authenticatedAt'
> &
  Required<Pick<SignedIn, 'method'>>;

export type Sessions = {
  /**
   * Starts a session, sends its cookie with the response, ends the previous session of the browser,
   * and remembers the browser. Throws 401 `invalid_credentials` if the epoch has changed or the account is disabled.
   */
  readonly begin: (raw: RawExchange, operator: SessionStart) => Promise<void>;
  /** Makes the next cookie of a session. Store its digest, and send it once that is committed. */
  readonly makeCookie: () => NextCookie;
  /** Returns the active session that the cookie of a request names, if any. */
  readonly find: (raw: RawExchange) => Promise<SignedIn | null>;
  /**
   * Ends the session of a request's cookie, if any, and clears the cookie. For signing out only: a session that is not
   * found may have another cookie by now, which the browser would lose.
   */
  readonly end: (raw: RawExchange) => Promise<void>;
  /** Ends the session that `begin` has started for this response, and sends no cookie. */
  readonly discard: (raw: RawExchange) => Promise<void>;
};

type NextCookie = {
  /** The form of the cookie in the database. */
  readonly digest: string;
  readonly send: (raw: RawExchange) => void;
};

export type SessionOptions = StoreDeps & {
  readonly secrets: readonly [string, ...string[]];
  /** Browsers use HTTPS: the cookie is `Secure` and bound to the host by its name. */
  readonly isHttps: boolean;
};

/**
 * Creates sessions with express-session. Only the routes that start or find a session run it; it is
 * not a middleware for all. The gateway verifies the sessions of all other requests through
 * `verifySession`.
 *
 * `SameSite=Strict`: the console is a page without secrets that then calls its own origin, so no
 * link from elsewhere needs the cookie. The cookie has no lifetime: the server enforces the limits.
 */
export const createSessions = (options: SessionOptions): Sessions => {
  const { secrets, isHttps } = options;
  const store = new SessionStore(options);
  const middleware = session({
    store,
    name: sessionCookieName(isHttps),
    secret: [...secrets],
    resave: false,
    saveUninitialized: false,
    unset: 'destroy',
    proxy: true,
    cookie: { path: '/', httpOnly: true, sameSite: 'strict', secure: isHttps },
  });

  const open = ({ req, res }: RawExchange): Promise<SessionRequest> =>
    new Promise((resolve, reject) => {
      // The gateway uses plain HTTP; only PUBLIC_URL says what browsers use.
      req.headers['x-forwarded-proto'] = isHttps ? 'https' : 'http';
      const request = req as SessionRequest;
      void middleware(request, res as SessionResponse, (error?: unknown) =>
        error ? reject(error as Error) : resolve(request),
      );
    });

  const destroy = async (raw: RawExchange): Promise<void> => {
    const req = await open(raw);
    await done((callback) => req.session.destroy(callback));
  };

  return {
    begin: async (raw, start) => {
      const addCookie = cookieAtEnd(raw.res);
      const req = await open(raw);
      await startSession(req, start);
      addCookie(await rememberDevice(options, raw.req, start.operatorId));
    },
    makeCookie: () => {
      const sid = randomBytes(sidBytes).toString('base64url');
      const cookie = signedSessionCookie(secrets[0], sid, isHttps);
      return {
        digest: sessionDigest(sid),
        send: ({ res }) => void res.appendHeader('Set-Cookie', cookie),
      };
    },
    find: async (raw) => (await open(raw)).session.signedIn ?? null,
    end: async (raw) => {
      await destroy(raw);
      raw.res.appendHeader('Set-Cookie', clearedSessionCookie(isHttps));
    },
    discard: destroy,
  };
};

const startSession = async (req: SessionRequest, start: SessionStart): Promise<void> => {
  const { address, userAgent } = clientOf(req);
  await done((callback) => req.session.regenerate(callback));
  req.session.signedIn = { sessionId: sessionId.parse(newId()), ...start, address, userAgent };
  try {
    await done((callback) => req.session.save(callback));
  } catch (error) {
    // Otherwise express-session saves again at the end of the response and sends a useless cookie.
    await done((callback) => req.session.destroy(callback));
    throw error;
  }
};

type SessionRequest = Parameters<RequestHandler>[0];
type SessionResponse = Parameters<RequestHandler>[1];
type RequestHandler = ReturnType<typeof session>;

/** Turns a callback into a promise. */
const done = (start: (callback: (error?: unknown) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    start((error) => (error ? reject(error as Error) : resolve()));
  });
