import { email as emailSchema, lineOfText, plainText } from '@commonplace/contracts/core';
import { z } from 'zod';

/** A person as a provider describes them, from a token whose signature and claims are verified. */
export type ProvenIdentity = {
  readonly issuer: string;
  readonly subject: string;
  /** Null means none, or none that can be used. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly name: string | null;
  /** How the provider authenticated the person (RFC 8176). */
  readonly amr: readonly string[];
  /** The session at the provider, which a logout token may name. */
  readonly sid: string | null;
  /** When the person proved who they are, if the provider says so. */
  readonly authenticatedAt: Date | null;
  /** Kept as a hint for signing out there; null if it is too long for a URL. */
  readonly idToken: string | null;
};

const idTokenLengthMax = 4_096;
const shortText = plainText(1, 255);
/** Seconds since 1970, until the year 9999: what a date and the database can hold. */
const authTimeSchema = z.int().positive().max(253_402_300_799);

/** Reads the claims that sign-ins use. Throws if there is no usable subject, or the time of the sign-in is none. */
export const readClaims = (
  claims: Readonly<Record<string, unknown>>,
  idToken: string,
): ProvenIdentity => {
  const issuer = z.string().parse(claims['iss']);
  const authTime = authTimeSchema.optional().parse(claims['auth_time']);
  return {
    issuer,
    subject: shortText.parse(claims['sub']),
    email: emailSchema.safeParse(claims['email']).data ?? null,
    isEmailVerified: isVerified(claims, issuer),
    name: lineOfText(1, 200).safeParse(claims['name']).data ?? null,
    amr: z.array(plainText(0, 64)).max(16).safeParse(claims['amr']).data ?? [],
    sid: shortText.safeParse(claims['sid']).data ?? null,
    authenticatedAt: authTime === undefined ? null : new Date(authTime * 1000),
    idToken: idToken.length <= idTokenLengthMax ? idToken : null,
  };
};

/** Entra ID has no `email_verified`; `xms_edov` says that the owner of the domain is verified. */
const isVerified = (claims: Readonly<Record<string, unknown>>, issuer: string): boolean =>
  claims['email_verified'] === true ||
  (issuer.startsWith('https://login.microsoftonline.com/') &&
    [true, 1, '1', 'true'].includes(claims['xms_edov'] as string));
