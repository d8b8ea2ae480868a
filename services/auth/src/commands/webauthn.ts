import { AppError } from '@commonplace/contracts/core';
import type { Deps } from '../deps.ts';

/** The library of passkeys, loaded at its first use: it takes 14 MB, and few processes see a passkey. */
export const webauthn = () => import('@simplewebauthn/server');

/** The site that passkeys are for; 409 where browsers make none. */
export const siteOf = ({ passkeySite }: Pick<Deps, 'passkeySite'>) => {
  if (!passkeySite) {
    throw new AppError(
      'passkeys_unavailable',
      'Passkeys need a PUBLIC_URL with a name: browsers make none for an address.',
    );
  }
  return passkeySite;
};

/** The challenge that a passkey signed; 401 `invalid_passkey` if it cannot be read. */
export const challengeOf = (clientDataJSON: string): string => {
  try {
    const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as unknown;
    const { challenge } = data as { readonly challenge?: unknown };
    if (typeof challenge === 'string') {
      return challenge;
    }
  } catch {
    // The same as a challenge of another type.
  }
  throw new AppError('invalid_passkey');
};

/** A copy with a buffer of its own, as the library requires. */
export const toBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
