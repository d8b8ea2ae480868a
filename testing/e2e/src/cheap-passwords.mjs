import { createRequire } from 'node:module';

/*
 * Loaded into the auth process of a test system with `--import`: hashes passwords with the lowest cost of bcrypt,
 * because nearly every test signs an operator in, which takes a quarter of a second. The service has no switch for this, so
 * it cannot be enabled in production. Plain JavaScript, because Node needs a third of a second to load what strips types.
 */

const bcrypt = createRequire(new URL('../../../services/auth/src/main.ts', import.meta.url))(
  'bcrypt',
);
const { hash, compare } = bcrypt;
const cheapCost = 4;
/** Stands for the hash of an account that does not exist, with the cost of production. */
const noHash = '.'.repeat(53);
const cheapDummy = `$2b$0${cheapCost}$${noHash}`;

bcrypt.hash = (password) => hash(password, cheapCost);
bcrypt.compare = (password, hashed) =>
  compare(password, hashed.endsWith(noHash) ? cheapDummy : hashed);
// Or passwords would be hashed again at each sign-in.
bcrypt.getRounds = () => Infinity;
