import { newId, sessionId, type SessionId } from '@commonplace/contracts/core';

/** Milliseconds since 1970, the first 48 bits of a UUIDv7, as text. */
const timeLength = 'xxxxxxxx-xxxx'.length;

/**
 * The next id of a session. It keeps the time of the former one, so that ids go on sorting by when sessions began and
 * a session is found by an id that it had before; all else is new.
 */
export const renewedSessionId = (id: SessionId): SessionId =>
  sessionId.parse(id.slice(0, timeLength) + newId().slice(timeLength));
