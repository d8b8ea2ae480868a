import { createHash, randomInt } from 'node:crypto';
import { recoveryCodesCount } from '@commonplace/contracts/auth';

/** Letters and digits that are not confused with one another. */
const readable = 'abcdefghijkmnpqrstuvwxyz23456789';
const groupsOfCode = 4;
const charactersOfGroup = 4;

/** Creates the recovery codes of an operator: 80 random bits each. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodesCount }, () =>
    Array.from({ length: groupsOfCode }, makeGroup).join('-'),
  );

/** The hex SHA-256 under which a code is stored. Random codes need no slow hash. */
export const recoveryCodeDigest = (code: string): string =>
  createHash('sha256').update(code.replaceAll('-', '')).digest('hex');

const makeGroup = (): string =>
  Array.from({ length: charactersOfGroup }, () => readable[randomInt(readable.length)]).join('');
