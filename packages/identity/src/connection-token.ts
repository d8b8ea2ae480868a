import { bearerFormat } from './bearer-format.ts';

/** What every access token of a connection begins with. */
export const connectionTokenMarker = 'cpc_';

const format = bearerFormat(connectionTokenMarker);

/** Makes the access token of a connection: as an API key, but `cpc_`. Stored as `apiKeyDigests` of it. */
export const makeConnectionToken = (): string => format.make();

/** Whether a token has the right form and checksum. The token need not exist. */
export const isWellFormedConnectionToken = (text: string): boolean => format.isWellFormed(text);
