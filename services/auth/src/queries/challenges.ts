import type { OperatorId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { AccountTx } from './tx.ts';

export type ChallengeKind = 'second_factor' | 'passkey' | 'new_passkey';

export type NewChallenge = {
  /** The hex SHA-256 of the challenge. */
  readonly digest: string;
  readonly kind: ChallengeKind;
  /** Null means the passkey says who signs in. */
  readonly operatorId: OperatorId | null;
  readonly epoch: number | null;
  readonly network: string;
  /** The device or network whose challenges replace each other. */
  readonly share: string;
  readonly expiresAt: Date;
};

/** Inserts a challenge. */
export const insertChallenge = async (tx: GlobalTx, challenge: NewChallenge): Promise<void> => {
  const { digest, kind, operatorId, epoch, network, share, expiresAt } = challenge;
  await tx.query(
    `insert into auth.sign_in_challenges
       (digest, kind, operator_id, session_epoch, network, share, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [digest, kind, operatorId, epoch, network, share, expiresAt],
  );
};

/** Deletes the oldest challenges of an operator under one share, and never the one that was just made. */
export const deleteOldestChallenges = async (
  tx: GlobalTx,
  made: {
    readonly operatorId: OperatorId;
    readonly share: string;
    readonly digest: string;
    readonly keep: number;
  },
): Promise<void> => {
  await tx.query(
    `delete from auth.sign_in_challenges
      where digest in (
        select digest from auth.sign_in_challenges
         where operator_id = $1 and digest <> $2 and share = $4
         order by expires_at desc, digest
        offset $3
      )`,
    [made.operatorId, made.digest, made.keep - 1, made.share],
  );
};

export type ChallengeLookup = {
  readonly digest: string;
  readonly kind: ChallengeKind;
  readonly network: string;
  readonly now: Date;
};

export type ChallengeRow = {
  readonly operatorId: OperatorId | null;
  readonly sessionEpoch: number | null;
};

/**
 * Counts an attempt of a challenge and returns it; null if it is unknown, expired, of another network, or had too many attempts.
 */
export const countChallengeAttempt = async (
  tx: GlobalTx,
  { digest, kind, network, now, attemptsMax }: ChallengeLookup & { readonly attemptsMax: number },
): Promise<ChallengeRow | null> => {
  const [row] = await tx.query<ChallengeRow>(
    `update auth.sign_in_challenges set attempts = attempts + 1
      where digest = $1 and kind = $2 and network = $3 and expires_at > $4 and attempts < $5
      returning operator_id as "operatorId", session_epoch as "sessionEpoch"`,
    [digest, kind, network, now, attemptsMax],
  );
  return row ?? null;
};

/** Uses up a challenge and returns it; null as for `countChallengeAttempt`. Only one caller gets it. */
export const takeChallenge = async (
  tx: GlobalTx,
  { digest, kind, network, now }: ChallengeLookup,
): Promise<ChallengeRow | null> => {
  const [row] = await tx.query<ChallengeRow>(
    `delete from auth.sign_in_challenges
      where digest = $1 and kind = $2 and network = $3 and expires_at > $4
      returning operator_id as "operatorId", session_epoch as "sessionEpoch"`,
    [digest, kind, network, now],
  );
  return row ?? null;
};

/** Deletes the challenges of an operator. */
export const deleteChallengesOf = async (tx: AccountTx, operatorId: OperatorId): Promise<void> => {
  await tx.query('delete from auth.sign_in_challenges where operator_id = $1', [operatorId]);
};

/** Deletes expired challenges. */
export const deleteExpiredChallenges = async (tx: GlobalTx, now: Date): Promise<void> => {
  await tx.query('delete from auth.sign_in_challenges where expires_at <= $1', [now]);
};
