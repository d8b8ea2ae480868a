/** From this share of a limit on, a budget warns; the audit log has the same warning. */
const warningShare = 0.8;

/** Whether a budget should warn; null means there is no limit. */
export const isNearLimit = (used: number, limit: number | null): boolean =>
  limit !== null && used / Math.max(limit, 1) >= warningShare;
