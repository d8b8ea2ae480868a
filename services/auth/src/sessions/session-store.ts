import connectPgSimple from 'connect-pg-simple';
import session, { type SessionData } from 'express-session';
import { AppError } from '@commonplace/contracts/core';
import { read, write, type Db } from '@commonplace/db';
import { sessionDigest } from '@commonplace/identity';
import { absoluteSeconds, idleSeconds, sessionsMax } from '../policy/session-limits.ts';
import { deleteOldestSessions } from '../queries/session-deletions.ts';
import { findActiveSession, insertSession, updateSessionData } from '../queries/sessions.ts';
import { lockPasskey } from '../queries/passkeys.ts';
import { lockOperator } from '../queries/operators.ts';
import { lockProviderSession } from './lock-provider-session.ts';
import type { SignedIn } from './signed-in.ts';

declare module 'express-session' {
  interface SessionData {
    signedIn?: SignedIn;
  }
}

export type StoreDeps = { readonly db: Db; readonly clock: () => Date };

const PgStore = connectPgSimple(session);

/**
 * connect-pg-simple with four differences:
 * - The table stores the SHA-256 of an id, so that reading it reveals no session.
 * - A session is inserted once, when it starts; later saves are UPDATEs. The upsert of the stock
 *   store would revive a session that ended while a request held it.
 * - No session starts for an account that was disabled, or whose epoch changed, since its password
 *   was verified: 401 `invalid_credentials`.
 * - Sessions past their limits, of an old epoch or of a disabled operator are not found.
 *
 * Times are timestamptz from our clock, so no time zone can shift them. `touch` is off:
 * `verifySession` extends sessions, at most once a minute. `commands/purge-expired.ts` deletes expired
 * ones.
 */
export class SessionStore extends PgStore {
  readonly #deps: StoreDeps;
  /** The session objects that have, or had, a row. */
  readonly #inserted = new WeakSet<object>();

  constructor(deps: StoreDeps) {
    super({
      pool: deps.db.pool,
      schemaName: 'auth',
      tableName: 'sessions',
      createTableIfMissing: false,
      disableTouch: true,
      pruneSessionInterval: false,
    });
    this.#deps = deps;
  }

  override get(sid: string, callback: (error: unknown, data?: SessionData | null) => void): void {
    callBack(this.#find(sid), callback);
  }

  override set(sid: string, data: SessionData, callback?: (error?: unknown) => void): void {
    callBack(this.#save(sid, data), callback);
  }

  override destroy(sid: string, callback?: (error?: unknown) => void): void {
    super.destroy(sessionDigest(sid), callback);
  }

  /** express-session creates its object from what `get` found; from then on it is only updated. */
  override createSession(...args: Parameters<session.Store['createSession']>) {
    const found = super.createSession(...args);
    this.#inserted.add(found);
    return found;
  }

  async #find(sid: string): Promise<SessionData | null> {
    const { db, clock } = this.#deps;
    const digest = sessionDigest(sid);
    const row = await read(db, 'global', (tx) =>
      findActiveSession(tx, { digest, now: clock(), touch: null }),
    );
    return (row?.sess as SessionData | undefined) ?? null;
  }

  async #save(sid: string, data: SessionData): Promise<void> {
    const digest = sessionDigest(sid);
    if (this.#inserted.has(data)) {
      await write(this.#deps.db, 'global', (tx) => updateSessionData(tx, { digest, data }));
      return;
    }
    if (!data.signedIn) {
      throw new Error('A session without an operator cannot be stored');
    }
    await this.#insert(digest, data, data.signedIn);
    this.#inserted.add(data);
  }

  async #insert(digest: string, data: SessionData, signedIn: SignedIn): Promise<void> {
    const { operatorId, sessionId, epoch, address, userAgent } = signedIn;
    const at = this.#deps.clock();
    await write(this.#deps.db, 'global', async (tx) => {
      const operator = await lockOperator(tx, operatorId);
      if (operator?.sessionEpoch !== epoch || operator.disabledAt !== null) {
        throw new AppError('invalid_credentials', 'The account has changed; sign in again.');
      }
      await lockProviderSession(tx, signedIn, at);
      const passkeyId = signedIn.passkeyId ?? null;
      if (passkeyId !== null && !(await lockPasskey(tx, { id: passkeyId, operatorId }))) {
        throw new AppError('invalid_credentials', 'The passkey was removed; sign in again.');
      }
      await insertSession(tx, {
        digest,
        data,
        id: sessionId,
        operatorId,
        epoch,
        at,
        authenticatedAt: provenAt(signedIn, at),
        idleEndsAt: secondsAfter(at, idleSeconds),
        endsAt: secondsAfter(at, absoluteSeconds),
        address,
        userAgent,
        method: signedIn.method ?? 'password',
        amr: signedIn.amr ?? [],
        passkeyId,
        identityId: signedIn.provider?.identityId ?? null,
        providerSid: signedIn.provider?.sid ?? null,
      });
      await deleteOldestSessions(tx, { operatorId, keep: sessionsMax });
    });
  }
}

/** What a provider says about the future counts as now. */
const provenAt = ({ authenticatedAt }: SignedIn, at: Date): Date =>
  authenticatedAt === undefined
    ? at
    : new Date(Math.min(at.getTime(), Date.parse(authenticatedAt)));

const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000);

/** Calls back outside the promise, as stores must. */
const callBack = <Result>(
  promise: Promise<Result>,
  callback: ((error: unknown, result?: Result) => void) | undefined,
): void => {
  promise.then(
    (result) => process.nextTick(() => callback?.(null, result)),
    (error: unknown) => process.nextTick(() => callback?.(error)),
  );
};
