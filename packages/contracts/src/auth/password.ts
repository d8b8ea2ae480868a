import { plainText } from '../common.ts';

/** Bounds of a new password, in characters (code points) after NFKC normalisation. */
export const passwordLengthMin = 15;
export const passwordLengthMax = 128;

/** A password as it is typed in to sign in. Only its size is bounded: what it says is for the hash. */
export const passwordText = plainText(1, 1024).meta({ format: 'password' });

/**
 * A password that is to be set. Its strength is judged after parsing, so that a weak one is 422
 * `weak_password` with a sentence that helps, and not one of many 400s.
 */
export const newPassword = plainText(1, 1024).meta({
  format: 'password',
  description:
    '15 to 128 characters after NFKC normalisation; common passwords, repetitions and sequences are refused (422 `weak_password`)',
});
