import { V7Generator } from 'uuidv7';

const generator = new V7Generator();
// If the clock goes backwards, the generator continues from the last id.
generator.setRollbackAllowance(2 ** 48 - 1);

/**
 * Creates a UUIDv7 (RFC 9562). Ids of the server sort by time of creation, strictly within one
 * process.
 */
export const newId = (): string => generator.generate().toString();
