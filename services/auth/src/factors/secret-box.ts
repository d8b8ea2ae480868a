import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** An encrypted secret, and which key opens it. */
type SealedSecret = { readonly sealed: string; readonly keyId: string };

export type SecretBox = {
  /** The key of new secrets. */
  readonly currentKeyId: string;
  /** Encrypts a secret for its owner: nobody else's row can hold it. */
  readonly seal: (secret: Uint8Array, ownerId: string) => SealedSecret;
  /** Null means the key is not configured, or the text was not sealed for this owner. */
  readonly open: (sealed: SealedSecret, ownerId: string) => Uint8Array | null;
};

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Creates a box from a list of secrets: the first encrypts, all decrypt. */
export const createSecretBox = (secrets: readonly [string, ...string[]]): SecretBox => {
  const [current, ...others] = secrets;
  const first = keyOf(current);
  const keys = new Map([first, ...others.map(keyOf)].map((key) => [key.id, key.key]));
  return {
    currentKeyId: first.id,
    seal: (secret, ownerId) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, first.key, nonce).setAAD(Buffer.from(ownerId));
      const parts = [nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()];
      return { sealed: Buffer.concat(parts).toString('base64url'), keyId: first.id };
    },
    open: ({ sealed, keyId }, ownerId) => {
      const key = keys.get(keyId);
      return key ? decrypt(key, Buffer.from(sealed, 'base64url'), ownerId) : null;
    },
  };
};

const decrypt = (key: Uint8Array, bytes: Buffer, ownerId: string): Uint8Array | null => {
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(ownerId))
      .setAuthTag(bytes.subarray(-tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return null;
  }
};

/** The id reveals nothing about the secret. */
const keyOf = (secret: string) => ({
  id: createHash('sha256')
    .update(`commonplace second factor key id\n${secret}`)
    .digest('base64url')
    .slice(0, 12),
  key: new Uint8Array(hkdfSync('sha256', secret, '', 'commonplace second factor', 32)),
});
