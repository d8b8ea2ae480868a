import { plainText } from '../common.ts';

/** Bounds of a new password, in characters (code points) after NFKC normalisation. */
export const passwordLengthMin = 15;
export const passwordLengthMax = 128;

/** A password for signing in. Only its length is limited. */
export const passwordText = plainText(1, 1024).meta({ format: 'password' });

/**
 * A new password. Its strength is checked after parsing, so that a weak one is 422 `weak_password`
 * with an explanation instead of a generic 400.
 */
export const newPassword = plainText(1, 1024).meta({
  format: 'password',
  description:
    '15 to 128 characters after NFKC normalisation; common passwords, repetitions and sequences are rejected (422 `weak_password`)',
});
