import { asAppError } from '@commonplace/http';
import type { AppError } from '@commonplace/contracts/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { firstBytes } from './format.ts';
import { failed } from './tool-result.ts';

const retryLater = 'Wait a second, then call again with the same arguments.';
const needsOperator =
  'You cannot change this yourself: report it to the operator, and go on without it.';
const readFirst =
  'Read it with read_note, apply your change to what it says now, and use that revision.';

/** What a model does after an error, by its code. */
const nextSteps: Readonly<Partial<Record<AppError['code'], string>>> = {
  not_found:
    'Find it with search_notes or list_notes, its versions with note_history; write_note without revision creates a new one.',
  note_deleted: 'Its versions are in note_history; restore_note brings it back.',
  ambiguous: 'Call again with the id of one of the candidates.',
  edit_not_applicable: 'Change the edits as this says, and call again.',
  precondition_failed: readFirst,
  title_exists: 'Read the existing note with read_note, then use edit_note.',
  mutation_id_reused: 'Leave dedupeKey out, or choose a new one.',
  validation_failed: 'Correct the arguments and call again.',
  malformed_header: 'Correct the arguments and call again.',
  body_too_large: 'Split the note: a note has at most 512 KiB.',
  cursor_expired: 'Call again without since or cursor.',
  cross_company: 'It belongs to another company, which you cannot reach. Check the id.',
  folder_not_granted:
    'whoami says which folders you reach. Work there, or report it to the operator.',
  proposal_not_possible:
    'Say in a proposal what the note should be, by write_note or edit_note, or report it to the operator.',
  proposal_limit: 'Wait until somebody decides about the open proposals.',
  insufficient_scope: needsOperator,
  role_insufficient: needsOperator,
  agent_paused: needsOperator,
  company_archived: needsOperator,
  invalid_token: 'The credential has ended: start a new run, or get a new key from the operator.',
  session_expired: 'Sign in again.',
  busy: retryLater,
  rate_limited: retryLater,
  service_unavailable: retryLater,
  upstream_timeout: retryLater,
};

/** Extension members that help to choose the next step. */
const shown = ['candidates', 'found', 'edit', 'existing', 'scope'] as const;

/** An error as the result of a tool. Unexpected ones say nothing of their cause. */
export const errorResult = (thrown: unknown): CallToolResult => {
  const error = asAppError(thrown);
  const { code, message, errors = [], extensions } = error;
  const fields = errors.map(({ path, message: problem }) => `${path || '/'}: ${problem}`);
  const members = shown.flatMap((name) =>
    extensions[name] === undefined ? [] : [`${name}: ${JSON.stringify(extensions[name])}`],
  );
  const current = extensions['current'] as { readonly revision?: number } | undefined;
  const revision = current?.revision === undefined ? [] : [`current revision: ${current.revision}`];
  const detail = [message, ...fields, ...members, ...revision].join('\n');
  return failed(code, firstBytes(detail, detailBytesMax), nextStepOf(error));
};

const nextStepOf = ({ code, extensions }: AppError): string =>
  (code === 'edit_not_applicable' ? placeStepOf(extensions) : null) ??
  nextSteps[code] ??
  retryLater;

/** What to do about a text or a heading that does not stand there once; null: the edit failed by something else. */
const placeStepOf = ({ found, candidates }: AppError['extensions']): string | null => {
  // One that stands there more often was copied exactly: reading it again would not help.
  if (typeof found === 'number' && found > 1) {
    return `Take a longer find that occurs once, or count ${found} to replace them all.`;
  }
  return found === undefined && candidates === undefined
    ? null
    : 'Read the note with read_note; copy the text or heading exactly as it stands.';
};

const detailBytesMax = 8_000;
