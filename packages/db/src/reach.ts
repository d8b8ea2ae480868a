import type { CompanyId, Reach } from '@commonplace/contracts/core';
import { arrayText } from './array-text.ts';

/** A company as a whole, or part of its notes. Row-level security enforces both. */
export type Reachable = CompanyId | Reach;

/** The reach of what is given: a company by its id is all of it. */
export const reachOf = (of: Reachable): Reach =>
  typeof of === 'string' ? { companyId: of, folders: null } : of;

/** The folders as the setting that the policies read. Of no folders it is not empty, because that would mean all. */
export const foldersSetting = (folders: readonly string[]): string => arrayText(folders);
