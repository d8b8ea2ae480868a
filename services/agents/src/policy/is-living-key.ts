/** A key works until it is revoked or expires. */
export const isLivingKey = (
  key: { readonly revokedAt: Date | null; readonly expiresAt: Date | null },
  now: Date,
): boolean => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
