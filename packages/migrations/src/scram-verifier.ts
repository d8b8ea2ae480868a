import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** As PostgreSQL has it by default (`scram_iterations`). */
const iterations = 4096;

/**
 * The verifier that PostgreSQL stores for a password (RFC 5803, RFC 7677); `alter role … password` accepts it. The
 * password itself is then in no statement, so neither in the log of a failed statement nor in `pg_stat_activity`.
 * Nobody can log in with a verifier. Guessing the password from it is as hard as from `pg_authid`.
 */
export const scramVerifier = (password: string, salt: Buffer = randomBytes(16)): string => {
  // SASLprep, of which NFKC is what matters for passwords that can be typed or generated.
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
};
