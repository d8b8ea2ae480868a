import { v7 } from 'uuid';

/** A fresh UUIDv7 (RFC 9562): ids of the server sort by the time of their making. */
export const newId = (): string => v7();
