/**
 * The delay after a failed attempt, from 1: doubles up to a limit, and is spread so that many clients do not come back at
 * once.
 */
export const backOffMs = (
  attempt: number,
  { firstMs, maxMs }: { readonly firstMs: number; readonly maxMs: number },
): number => Math.min(maxMs, firstMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
