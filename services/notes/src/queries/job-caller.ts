import type { NoteGrant } from '@commonplace/contracts/core';
import type { Author } from '@commonplace/contracts/notes';

/** The caller of a job, as far as needed to check its access again. */
export type JobCaller = {
  readonly author: Author;
  readonly isLocal: boolean;
  /** The client that it named; absent: none, or a release before stored the job. */
  readonly clientId?: string;
  /** What its credential reached when it ordered the job; absent: all notes. */
  readonly grants?: readonly NoteGrant[];
} & CallerAccess;

/**
 * What gave access to the operator who ordered the job, and is another one if access ended and was given again. Absent: of an
 * agent, the local operator, or stored by a release before.
 */
export type CallerAccess = {
  /** The access epoch of the account. */
  readonly accessEpoch?: number;
  /** When the membership of the company began. */
  readonly memberSince?: string;
};

/** Whether a part of two accesses is known of both and differs. */
export const isKnownToDiffer = <Value>(
  former: Value | undefined,
  now: Value | undefined,
): boolean => former !== undefined && now !== undefined && former !== now;

/**
 * A caller in the database. One with grants has an author of a kind that workers of releases before know no rights for: they fail
 * its job instead of running it without its grants.
 */
export type StoredCaller = Omit<JobCaller, 'author'> & {
  readonly author: Omit<Author, 'kind'> & { readonly kind: Author['kind'] | 'granted_agent' };
};

/** The caller as it is stored. */
export const storedCaller = (caller: JobCaller): StoredCaller =>
  caller.grants ? { ...caller, author: { ...caller.author, kind: 'granted_agent' } } : caller;

/** The caller that was stored. */
export const readCaller = ({ author, ...caller }: StoredCaller): JobCaller => ({
  ...caller,
  author: { ...author, kind: author.kind === 'granted_agent' ? 'agent' : author.kind } as Author,
});
