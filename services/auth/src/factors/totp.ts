import { Secret, TOTP } from 'otpauth';

/** What authenticator apps support: SHA-1, six digits, 30 seconds. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30, issuer: 'Commonplace' } as const;
const secretBytes = 20;
/** Codes of the step before and after are accepted, because clocks differ. */
const stepsAround = 1;

/** A new secret of an authenticator app, with its URI and QR code. */
export type NewTotp = {
  readonly bytes: Uint8Array;
  readonly base32: string;
  readonly uri: string;
  readonly qr: string;
};

/** Creates a secret for an account. */
export const makeTotp = async (email: string): Promise<NewTotp> => {
  const secret = new Secret({ size: secretBytes });
  const uri = new TOTP({ ...settings, label: email, secret }).toString();
  // Loaded at its first use, because an operator enrols once.
  const { default: QRCode } = await import('qrcode');
  const qr = await QRCode.toString(uri, { type: 'svg', errorCorrectionLevel: 'M', margin: 4 });
  return { bytes: secret.bytes, base32: secret.base32, uri, qr };
};

/** Returns the time step of a code; null means it is wrong, or of another time. */
export const stepOfCode = (secret: Uint8Array, code: string, now: Date): number | null => {
  const totp = new TOTP({ ...settings, secret: new Secret({ buffer: arrayBufferOf(secret) }) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: stepsAround });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
};

/** A copy: the bytes may be a view of a larger buffer. */
const arrayBufferOf = (bytes: Uint8Array): ArrayBufferLike => new Uint8Array(bytes).buffer;
