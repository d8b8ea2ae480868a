import { canReadIn, canWriteIn, type HeldGrants } from '@commonplace/contracts/core';
import type { Base } from './decide-sync.ts';
import { rejected, type Decision } from './decision.ts';

/** A change that the grants of its sender do not reach: nothing of the note is shown. */
export const notGranted: Decision = rejected(
  'folder_not_granted',
  'The folder is not granted to this credential for writing.',
);

/** Whether the sender of a change may change notes in all these folders. */
export const mayWriteIn = (grants: HeldGrants, folders: readonly (string | undefined)[]): boolean =>
  grants === null || folders.every((folder) => folder === undefined || canWriteIn(grants, folder));

/** The decision, unless it puts a note, or a copy, where the sender may not write. */
export const withinGrants = (grants: HeldGrants, decision: Decision): Decision =>
  mayWriteIn(grants, [decision.next?.fields?.folder, decision.copy?.folder])
    ? decision
    : notGranted;

/**
 * What a change is based on. The text of a version that the sender does not see is not known: whether a merge with it
 * succeeds would say what it was.
 */
export const visibleBase = (grants: HeldGrants, base: Base): Base =>
  base.fields === null || canReadIn(grants, base.fields.folder) ? base : { ...base, fields: null };
