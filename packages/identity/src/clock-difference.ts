import jwt from 'jsonwebtoken';

/** What one of our processes signed by a clock that differs from ours. */
export type ClockDifference = {
  readonly issuer: string;
  /** How far the clock of the issuer is ahead of ours; negative if it is behind, or if what it signed is old. */
  readonly aheadSeconds: number;
};

/** When a token claims to have been signed; null if it does not say. */
export const issuedAtMsOf = (token: string): number | null => {
  const payload = jwt.decode(token);
  const issuedAt = typeof payload === 'object' ? payload?.iat : undefined;
  return typeof issuedAt === 'number' ? issuedAt * 1000 : null;
};
