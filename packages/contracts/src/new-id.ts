import { V7Generator } from 'uuidv7';

const generator = new V7Generator();
// Where the clock falls back the generator goes on from the last id, however far that is.
generator.setRollbackAllowance(2 ** 48 - 1);

/**
 * A fresh UUIDv7 (RFC 9562): ids of the server sort by the time of their making, those of one process without
 * exception.
 */
export const newId = (): string => generator.generate().toString();
