import { createHash, createPrivateKey, hkdfSync, type KeyObject } from 'node:crypto';

const derive = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `commonplace oauth ${purpose}`, 32));

/** The keys that sign the cookies of a consent: the first signs, all verify. */
export const cookieKeys = (secrets: readonly string[]): string[] =>
  secrets.map((secret) => derive(secret, 'cookies').toString('base64url'));

/** RFC 8410: what precedes the 32 bytes of an Ed25519 key in PKCS #8. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key set of the server, from the secrets of the instance, so that all replicas have the same and it rotates with
 * them. Nothing is signed with it: tokens are opaque and there are no ID tokens. Clients expect the address to exist.
 */
export const signingJwks = (secrets: readonly string[]) =>
  secrets.map((secret) => {
    const key = createPrivateKey({
      key: Buffer.concat([pkcs8Prefix, derive(secret, 'jwks')]),
      format: 'der',
      type: 'pkcs8',
    });
    return { ...jwkOf(key), use: 'sig', alg: 'EdDSA' };
  });

const jwkOf = (key: KeyObject) => {
  const { crv, d, kty, x } = key.export({ format: 'jwk' });
  const kid = createHash('sha256').update(String(x)).digest('base64url').slice(0, 12);
  return { crv, d, kty, x, kid } as { crv: string; d: string; kty: string; x: string; kid: string };
};
