import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** What an authenticator says about a ceremony; tests change it to attack. */
export type Claims = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly counter?: number;
  readonly isUserVerified?: boolean;
  readonly isBackedUp?: boolean;
};

const flags = { present: 0x01, verified: 0x04, eligible: 0x08, backedUp: 0x10, attested: 0x40 };

const authenticatorData = (claims: Claims, attested: Buffer | null): Buffer => {
  const { rpId = 'localhost', counter = 0, isUserVerified = true, isBackedUp = false } = claims;
  const bits =
    flags.present |
    (isUserVerified ? flags.verified : 0) |
    (isBackedUp ? flags.eligible | flags.backedUp : 0) |
    (attested ? flags.attested : 0);
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(counter);
  const rpIdHash = createHash('sha256').update(rpId).digest();
  return Buffer.concat([rpIdHash, Buffer.from([bits]), counted, attested ?? Buffer.alloc(0)]);
};
const clientData = (type: string, challenge: string, { origin = 'http://localhost' }: Claims) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
const coseKeyOf = (publicKey: KeyObject) => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]) as never,
  );
};

/** A software authenticator with one P-256 passkey and an id of so many bytes, for requests that no browser would send. */
export const createAuthenticator = (idBytes = 32) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(idBytes);
  const coseKey = coseKeyOf(publicKey);

  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
  };

  return {
    register: (challenge: string, claims: Claims = {}) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const authData = new Uint8Array(authenticatorData(claims, attested));
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]) as never,
      );
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, claims).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    authenticate: (challenge: string, claims: Claims = {}) => {
      const client = clientData('webauthn.get', challenge, claims);
      const data = authenticatorData(claims, null);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      };
    },
  };
};
