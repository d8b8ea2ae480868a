import { AppError, type OperatorId } from '@commonplace/contracts/core';
import { write } from '@commonplace/db';
import { networkOfAddress } from '@commonplace/identity';
import type { Client, Deps } from '../deps.ts';
import { challengeSeconds, challengesMax, challengeAttemptsMax } from '../policy/challenges.ts';
import { newOneTimeToken, oneTimeTokenDigest } from '../policy/one-time-token.ts';
import { findShare } from './find-share.ts';
import {
  deleteOldestChallenges,
  insertChallenge,
  takeChallenge,
  countChallengeAttempt,
  type ChallengeKind,
  type ChallengeRow,
} from '../queries/challenges.ts';

type ChallengeDeps = Pick<Deps, 'db' | 'clock'>;

export type ChallengeStart = {
  readonly kind: ChallengeKind;
  readonly operatorId: OperatorId | null;
  readonly epoch: number | null;
  readonly client: Client;
};

/** Creates a challenge of 256 random bits for 5 minutes and the network of the client. */
export const createChallenge = async (
  { db, clock }: ChallengeDeps,
  { kind, operatorId, epoch, client }: ChallengeStart,
): Promise<string> => {
  const challenge = newOneTimeToken();
  const digest = oneTimeTokenDigest(challenge);
  const { kind: shareKind, name } = await findShare(
    { db },
    client,
    operatorId === null ? 'anybody' : { operatorId },
  );
  const share = `${shareKind} ${name}`;
  await write(db, 'global', (tx) =>
    insertChallenge(tx, {
      digest,
      kind,
      operatorId,
      epoch,
      network: networkOfAddress(client.address),
      share,
      expiresAt: new Date(clock().getTime() + challengeSeconds * 1000),
    }),
  );
  if (operatorId !== null) {
    // After the insertion is committed, so that concurrent insertions count each other.
    await write(db, 'global', (tx) =>
      deleteOldestChallenges(tx, { operatorId, share, digest, keep: challengesMax }),
    );
  }
  return challenge;
};

export type PresentedChallenge = {
  readonly challenge: string;
  readonly kind: ChallengeKind;
  readonly client: Client;
};

/** Uses up a challenge: it works once. 401 `challenge_expired`. */
export const consumeChallenge = async (
  { db, clock }: ChallengeDeps,
  presented: PresentedChallenge,
): Promise<ChallengeRow> =>
  (await write(db, 'global', (tx) => takeChallenge(tx, lookupOf(presented, clock())))) ?? expired();

/** Counts an attempt of a challenge, which stays. 401 `challenge_expired`. */
export const attemptChallenge = async (
  { db, clock }: ChallengeDeps,
  presented: PresentedChallenge,
): Promise<ChallengeRow> =>
  (await write(db, 'global', (tx) =>
    countChallengeAttempt(tx, {
      ...lookupOf(presented, clock()),
      attemptsMax: challengeAttemptsMax,
    }),
  )) ?? expired();

const lookupOf = ({ challenge, kind, client }: PresentedChallenge, now: Date) => ({
  digest: oneTimeTokenDigest(challenge),
  kind,
  network: networkOfAddress(client.address),
  now,
});

const expired = (): never => {
  throw new AppError('challenge_expired', 'The sign-in took too long, or was used; start again.');
};
