import {
  createNoteContract,
  noteInput,
  notePropertiesInput,
  noteTitle,
  putNoteContract,
} from '@commonplace/contracts/notes';
import { bodyOf } from '@commonplace/http';
import { z } from 'zod';
import { folderName, revisionNumber, tagNames } from '../argument-schemas.ts';
import { assertOnly } from '../assert-only.ts';
import { defineTool } from '../define-tool.ts';
import type { McpSession } from '../mcp-session.ts';
import { findEarlier, keyHeaders } from '../keyed-call.ts';
import { givenId, nameAliases, noteName, splitPath } from '../note-name.ts';
import {
  readReplacement,
  type ReplacedProposal,
  type ReplaceRequest,
} from '../read-replacement.ts';
import { failed, structured } from '../tool-result.ts';
import { proposalArguments } from './proposal-arguments.ts';
import {
  earlierResult,
  proposedResult,
  writeHeaders,
  writtenOutput,
  writtenResult,
} from './written-result.ts';

const listed = {
  title: noteTitle.optional(),
  content: noteInput.shape.content.unwrap().optional().describe('Markdown'),
  folder: folderName.optional(),
  tags: tagNames.optional(),
  pinned: z.boolean().optional(),
  properties: notePropertiesInput.optional().describe('JSON object'),
  id: givenId.optional().describe('Only to replace'),
  revision: revisionNumber.optional().describe('Only to replace: the revision you read'),
};

/** The fields with `folder` and `title` of the path, where there is one. */
const placed = (path: string | undefined, fields: Fields): Fields => {
  if (path === undefined) {
    return fields;
  }
  const { folder, title } = fields;
  assertOnly({ folder, title }, [], 'path');
  return { ...fields, ...splitPath(path) };
};

export const writeNote = defineTool({
  name: 'write_note',
  description:
    'Create a note. If the folder has one of this title, nothing is written and you get its id: use edit_note. With revision: replace the text (and the fields given) of the note that you have read at it.',
  contract: createNoteContract,
  effect: 'destroys',
  isIdempotent: true,
  input: z.strictObject({ ...listed, ...proposalArguments, path: noteName.path }),
  listed: z.strictObject(listed),
  listedForProposals: proposalArguments,
  output: writtenOutput.extend({ created: z.boolean() }),
  aliases: { ...nameAliases, text: 'content', body: 'content' },
  others: ['path'],
  run: (session, { id, revision, path, reason, ...given }) => {
    const fields = placed(path, given);
    if (revision !== undefined) {
      return replace(session, { id, path, revision, fields }, reason);
    }
    return id === undefined
      ? create(session, fields, reason)
      : Promise.resolve(
          failed(
            'revision_required',
            'A note is replaced only with the revision that you have read.',
            'Call read_note, then write_note with id and revision; or edit_note, which needs none. To create a note leave id out.',
          ),
        );
  },
});

type Fields = ReplaceRequest['fields'];

/** Why it is proposed, if it becomes a proposal. */
type Reason = string | undefined;

const create = async (session: McpSession, fields: Fields, reason: Reason) => {
  const { call, retryKey } = session;
  const written = await call(createNoteContract, {
    body: { ...fields, reason, ifTitleExists: fields.title === undefined ? 'create' : 'return' },
    headers: {
      ...writeHeaders(),
      ...(retryKey === null ? {} : { 'idempotency-key': retryKey }),
    },
  });
  const note = bodyOf<typeof createNoteContract>(written);
  if ('proposal' in note) {
    return note.existing ? proposedBefore(note) : createdProposal(note);
  }
  if (written.status === 201) {
    return writtenResult(note, { created: true });
  }
  const { id, revision, updatedAt } = note;
  const next = 'Nothing was written: the folder has this note already. read_note, then edit_note.';
  return structured({ id, revision, updatedAt, created: false, next });
};

type Proposed = { readonly proposal: { readonly id: string; readonly noteId: string } };

const createdProposal = ({ proposal }: Proposed) =>
  proposedResult(proposal.noteId, proposal.id, { created: false });

const proposedBefore = ({ proposal: { id, noteId } }: Proposed) =>
  structured({
    id: noteId,
    created: false,
    next: `Nothing was written: you have proposed this note already (proposal ${id}). edit_note with this id changes the proposal.`,
  });

/**
 * Fields that are not given keep their values, or those that the caller has proposed. The revision makes reading and
 * writing one step.
 */
const replace = async (session: McpSession, request: ReplaceRequest, reason: Reason) => {
  const { id, revision, fields } = request;
  const sent = { id, ...fields };
  const keyed = { operation: 'put', key: session.retryKey, sent } as const;
  const earlier = await findEarlier(session, keyed);
  if (earlier) {
    return earlierResult(session, earlier, { created: false });
  }
  const found = await readReplacement(session, request);
  const { replaced } = found;
  if (replaced && replaced.conflicts.length > 0) {
    return changedByOthers(replaced);
  }
  const written = await session.call(putNoteContract, {
    params: { id: found.id },
    body: { ...found.body, reason },
    headers: { ...writeHeaders(revision), ...keyHeaders(keyed) },
  });
  const note = bodyOf<typeof putNoteContract>(written);
  return 'proposal' in note
    ? proposedResult(found.id, note.proposal.id, {
        created: false,
        ...(replaced && replaced.id !== note.proposal.id ? { standsFor: standsFor(replaced) } : {}),
      })
    : writtenResult(note, { created: false });
};

/** A proposal of the whole note would undo what others wrote in fields that only the earlier proposal changes. */
const changedByOthers = ({ id, baseRevision, conflicts }: ReplacedProposal) =>
  failed(
    'precondition_failed',
    `Your proposal ${id} changes ${conflicts.join(', ')} of revision ${baseRevision ?? 'unknown'}, and others have changed that since.`,
    `Change the proposal with edit_note; or call again with ${conflicts.join(', ')} as it should be now, which replaces it.`,
  );

const standsFor = ({ id, kept }: ReplacedProposal): string =>
  `It stands for your proposal ${id}${kept.length === 0 ? '' : `, and keeps its ${kept.join(', ')}`}.`;
