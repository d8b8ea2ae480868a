import { read } from '@commonplace/db';
import { listDecidedProposals, type ListedProposalRow } from '../queries/list-proposals.ts';
import { readSince, type ListedRange } from './changes-position.ts';
import { oneLine, pathOf, type AuthorLabel } from './format.ts';
import type { McpSession } from './mcp-session.ts';

const endedMax = 10;
const endedForMs = 86_400_000;

/** What became of the proposals of the calling agent since a position, or within a day. They are not changes of notes. */
export const readEndedProposals = async (
  { caller, company, deps }: McpSession,
  { since }: Pick<ListedRange, 'since'>,
): Promise<ListedProposalRow[]> => {
  if (caller.kind !== 'agent') {
    return [];
  }
  const sinceMs = (since === null ? undefined : readSince(since).atMs) ?? null;
  const from = new Date(sinceMs ?? deps.clock().getTime() - endedForMs);
  const ended = await read(deps.db, company.reach, (tx) =>
    listDecidedProposals(tx, caller.agentId, { since: from, limit: endedMax }),
  );
  // The version that an accepted one became is among the changes.
  return ended.filter(({ revision }) => revision === null);
};

/** One of them on a line. */
export const endedLine = (
  row: ListedProposalRow,
  labelOf: AuthorLabel,
  bytesMax: number,
): string => {
  const by = row.decidedBy ? ` by ${labelOf(row.decidedBy)}` : '';
  const why = row.decisionReason === null ? '' : `: ${oneLine(row.decisionReason, bytesMax)}`;
  return `your proposal ${row.id} for ${pathOf(row, bytesMax)} was ${row.state}${by}${why}`;
};
