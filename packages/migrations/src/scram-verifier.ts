import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** As PostgreSQL has it by default (`scram_iterations`). */
const iterations = 4096;

/**
 * What PostgreSQL stores of a password, made here (RFC 5803, RFC 7677): `alter role … password` takes it as it
 * is. The password itself then reaches no statement, and so no log of a statement that failed and no
 * `pg_stat_activity`. The verifier does not let anybody log in; guessing from it costs what guessing from
 * `pg_authid` costs.
 */
export const scramVerifier = (password: string, salt: Buffer = randomBytes(16)): string => {
  // SASLprep, of which NFKC is what matters for passwords that can be typed or generated.
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const hmac = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
};
