import type { Caller } from '@commonplace/identity';

/** The company that a stream or a body counts for. An operator has named one, or has only one; else null. */
export const companyOf = (caller: Caller): string | null => {
  if (caller.kind === 'agent') {
    return caller.companyId;
  }
  const [only, ...others] = (caller.kind === 'operator' && caller.companies) || [];
  return others.length === 0 ? (only?.companyId ?? null) : null;
};
