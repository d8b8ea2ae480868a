import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId, sessionId } from '@commonplace/contracts/core';
import { clearedSessionCookie, sessionCookieName } from '@commonplace/identity';
import session from 'express-session';
import { clientOf } from './client-of.ts';
import { SessionStore, type SignedIn, type StoreDeps } from './session-store.ts';

/** The bare request and answer, which express-session works on. */
export type RawExchange = { readonly req: IncomingMessage; readonly res: ServerResponse };

export type Sessions = {
  /**
   * Begins a session, sends its cookie with the answer, and ends the one the browser had before. 401
   * `invalid_credentials` when the epoch is not the account's any more, or the account is disabled.
   */
  readonly begin: (
    raw: RawExchange,
    operator: Pick<SignedIn, 'operatorId' | 'epoch'>,
  ) => Promise<void>;
  /** Whose living session the cookie of a request names, if any. */
  readonly find: (raw: RawExchange) => Promise<SignedIn | null>;
  /** Ends the session of a request's cookie, if any, and makes the browser forget it. */
  readonly end: (raw: RawExchange) => Promise<void>;
};

export type SessionOptions = StoreDeps & {
  readonly secrets: readonly [string, ...string[]];
  /** Browsers reach us under https: the cookie is `Secure` and bound to the host by its name. */
  readonly isHttps: boolean;
};

/**
 * Sessions by express-session. It is run by the few routes that begin or look for one, not as a
 * middleware before all: everybody else's sessions are verified by the gateway through
 * `verifySession`.
 *
 * `SameSite=Strict`: the console is a page without secrets that then calls its own origin, so no link
 * from elsewhere ever needs the cookie. The cookie has no lifetime: the server keeps the limits.
 */
export const createSessions = (options: SessionOptions): Sessions => {
  const { secrets, isHttps } = options;
  const middleware = session({
    store: new SessionStore(options),
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
      // The gateway speaks plain HTTP to us; how browsers speak to it only PUBLIC_URL can tell.
      req.headers['x-forwarded-proto'] = isHttps ? 'https' : 'http';
      const request = req as SessionRequest;
      void middleware(request, res as SessionResponse, (error?: unknown) =>
        error ? reject(error as Error) : resolve(request),
      );
    });

  return {
    begin: async (raw, { operatorId, epoch }) => {
      const req = await open(raw);
      await done((callback) => req.session.regenerate(callback));
      req.session.signedIn = {
        sessionId: sessionId.parse(newId()),
        operatorId,
        epoch,
        ...clientOf(raw.req),
      };
      try {
        await done((callback) => req.session.save(callback));
      } catch (error) {
        // Else express-session tries once more at the end of the answer, and sends a cookie for nothing.
        await done((callback) => req.session.destroy(callback));
        throw error;
      }
    },
    find: async (raw) => (await open(raw)).session.signedIn ?? null,
    end: async (raw) => {
      const req = await open(raw);
      await done((callback) => req.session.destroy(callback));
      raw.res.appendHeader('Set-Cookie', clearedSessionCookie(isHttps));
    },
  };
};

type SessionRequest = Parameters<RequestHandler>[0];
type SessionResponse = Parameters<RequestHandler>[1];
type RequestHandler = ReturnType<typeof session>;

/** A callback's end as a promise. */
const done = (start: (callback: (error?: unknown) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    start((error) => (error ? reject(error as Error) : resolve()));
  });
