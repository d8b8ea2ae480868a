import { uuidv7 } from 'uuidv7';

/**
 * A fresh UUIDv7 (RFC 9562): ids of the server sort by the time of their making, those of one process also
 * within a millisecond.
 */
export const newId = (): string => uuidv7();
