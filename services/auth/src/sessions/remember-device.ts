import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OperatorId } from '@commonplace/contracts/core';
import { write, type Db } from '@commonplace/db';
import { deviceCookieName, readDeviceCookie } from '@commonplace/identity';
import { knownDeviceDays, knownDevicesMax } from '../policy/session-limits.ts';
import { deleteOldDevices, recordKnownDevice } from '../queries/known-devices.ts';
import { deviceDigest } from './client-of.ts';

type DeviceDeps = { readonly db: Db; readonly clock: () => Date; readonly isHttps: boolean };

/**
 * Records that an operator signed in with this browser, and returns the `Set-Cookie` by which the browser is known
 * from now on.
 */
export const rememberDevice = async (
  { db, clock, isHttps }: DeviceDeps,
  req: IncomingMessage,
  operatorId: OperatorId,
): Promise<string> => {
  const cookie =
    readDeviceCookie(req.headers.cookie, isHttps) ?? randomBytes(32).toString('base64url');
  const device = { operatorId, digest: deviceDigest(cookie), at: clock() };
  await write(db, 'global', (tx) => recordKnownDevice(tx, device));
  // In a transaction of its own, so that concurrent sign-ins count each other's devices.
  const kept = { operatorId, keep: knownDevicesMax };
  await write(db, 'global', (tx) => deleteOldDevices(tx, kept));
  return cookieOf(cookie, isHttps);
};

/**
 * Returns a function that adds a cookie to a response behind those of express-session, which adds its own when the headers
 * are written: programs that read one cookie read that of the session. Call it before express-session has the response.
 */
export const cookieAtEnd = (res: ServerResponse): ((cookie: string) => void) => {
  const cookies: string[] = [];
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => ServerResponse;
  res.writeHead = (...args: unknown[]): ServerResponse => {
    for (const cookie of cookies.splice(0)) {
      res.appendHeader('Set-Cookie', cookie);
    }
    return writeHead(...args);
  };
  return (cookie) => void cookies.push(cookie);
};

/** Lax, because the callback of a provider is a navigation from elsewhere. */
const cookieOf = (value: string, isHttps: boolean): string =>
  [
    `${deviceCookieName(isHttps)}=${value}`,
    'Path=/',
    `Max-Age=${knownDeviceDays * 86_400}`,
    'HttpOnly',
    ...(isHttps ? ['Secure'] : []),
    'SameSite=Lax',
  ].join('; ');
