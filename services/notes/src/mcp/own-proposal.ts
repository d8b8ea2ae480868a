import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@commonplace/contracts/core';
import {
  getProposalContract,
  getRevisionContract,
  listProposalsContract,
  type NoteData,
  type NoteFields,
  type NoteInput,
  type Proposal,
} from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { modeIn } from '../rules/within-grants.ts';
import type { McpSession } from './mcp-session.ts';
import { unlessRefused } from './unless-refused.ts';

const fieldNames = [
  'title',
  'content',
  'folder',
  'tags',
  'pinned',
  'archived',
  'properties',
] as const;
export type FieldName = (typeof fieldNames)[number];

type GivenFields = Readonly<Partial<Record<FieldName, unknown>>>;

/** The open proposal of the calling agent for a note, where replacing the note is a proposal too; null: there is none. */
export const findOwnProposal = async (
  { call, caller, company }: McpSession,
  note: Pick<NoteData, 'id' | 'folder'>,
  folder: string | undefined,
): Promise<Proposal | null> => {
  if (
    caller.kind !== 'agent' ||
    modeIn(company.grants, [note.folder, folder], 'any') !== 'propose'
  ) {
    return null;
  }
  const { items } = bodyOf<typeof listProposalsContract>(
    await call(listProposalsContract, {
      query: { state: 'open', agentId: caller.agentId, noteId: note.id, limit: '1' },
    }),
  );
  return items[0] ?? null;
};

/** What the fields that are not given are to be. */
type KeptFields = {
  readonly fields: NoteInput;
  /** Those that keep what was proposed. */
  readonly proposed: readonly FieldName[];
  /** Those that the proposal changes, and others have changed since. */
  readonly conflicts: readonly FieldName[];
};

/**
 * The fields that are not given, as a proposal has them where it changes them, else as the note has them: a proposal of
 * the whole note must not undo what others wrote since the earlier one.
 */
export const keptFields = async (
  session: McpSession,
  { present, own, given }: { present: NoteData; own: Proposal; given: GivenFields },
): Promise<KeptFields> => {
  const open = names(given);
  const theirs = open.includes('content') ? await readText(session, own) : { ...own, content: '' };
  const base = await readBase(session, own, present);
  const differs = open.filter((name) => !isDeepStrictEqual(theirs[name], present[name]));
  const proposed = differs.filter((name) => !base || !isDeepStrictEqual(theirs[name], base[name]));
  const conflicts = proposed.filter(
    (name) => !base || !isDeepStrictEqual(base[name], present[name]),
  );
  const valueOf = (name: FieldName) => [
    name,
    proposed.includes(name) ? theirs[name] : present[name],
  ];
  return { fields: Object.fromEntries(open.map(valueOf)) as NoteInput, proposed, conflicts };
};

const names = (given: GivenFields): FieldName[] =>
  fieldNames.filter((name) => given[name] === undefined);

const readText = async ({ call }: McpSession, { id }: Proposal): Promise<NoteFields> => {
  const { content, ...proposal } = bodyOf<typeof getProposalContract>(
    await call(getProposalContract, { params: { proposalId: id }, query: { context: '0' } }),
  );
  if (content === null) {
    throw new AppError('busy', 'Your proposal for this note has just been replaced.');
  }
  return { ...proposal, content };
};

/** The version that a proposal changes; null: it is not known, or gone. */
const readBase = async (
  { call }: McpSession,
  { baseRevision }: Proposal,
  present: NoteData,
): Promise<NoteFields | null> => {
  if (baseRevision === null || baseRevision === present.revision) {
    return baseRevision === null ? null : present;
  }
  const params = { id: present.id, revision: String(baseRevision) };
  const version = call(getRevisionContract, { params });
  return unlessRefused(
    version.then((reply) => bodyOf<typeof getRevisionContract>(reply)),
    null,
  );
};
