import type { SessionId } from '@commonplace/contracts/core';
import type { Session } from '@commonplace/contracts/auth';
import type { SessionRow } from '../queries/list-living-sessions.ts';

/** A session as its operator sees it. */
export const presentSession = (row: SessionRow, currentId: SessionId | null): Session => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  lastSeenAt: row.last_seen_at.toISOString(),
  expiresAt: row.expire.toISOString(),
  address: row.address,
  userAgent: row.user_agent,
  current: row.id === currentId,
});
