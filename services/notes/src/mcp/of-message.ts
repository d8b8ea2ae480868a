import { createHash } from 'node:crypto';
import type { McpSession } from './mcp-session.ts';

/**
 * The session of one message of a batch. The client's key is that of the whole request: each message has one of its own, or
 * the second of two equal calls would be taken for a repetition of the first.
 */
export const ofMessage = (session: McpSession, position: number): McpSession => ({
  ...session,
  retryKey: session.retryKey === null ? null : keyOf(session.retryKey, position),
});

/** As long as a key may be, whatever the length of the other one. */
const keyOf = (key: string, position: number): string =>
  createHash('sha256').update(`${position} ${key}`).digest('base64url');
