import { hashOfJson } from '../rules/mutation-hash.ts';
import type { McpSession } from './mcp-session.ts';

/**
 * The session of one message of a batch. The client's key is that of the whole request: each message has one of its own, or
 * the second of two equal calls would be taken for a repetition of the first.
 */
export const ofMessage = (session: McpSession, position: number): McpSession => ({
  ...session,
  // A hash, because with the position a long key would be longer than one may be.
  retryKey: session.retryKey === null ? null : hashOfJson([session.retryKey, position]),
});
