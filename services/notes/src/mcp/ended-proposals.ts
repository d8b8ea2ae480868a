import { read } from '@commonplace/db';
import { listDecidedProposals, type ListedProposalRow } from '../queries/list-proposals.ts';
import { lateMs, readSince, type ListedRange } from './changes-position.ts';
import { oneLine, pathOf, type AuthorLabel } from './format.ts';
import type { McpSession } from './mcp-session.ts';

const endedMax = 10;
const endedForMs = 86_400_000;

/** The ones that are shown, and whether there are older ones. */
export type EndedProposals = {
  readonly rows: readonly ListedProposalRow[];
  readonly hasMore: boolean;
};

export const noEndedProposals: EndedProposals = { rows: [], hasMore: false };

/**
 * The proposals of the calling agent that were rejected or expired since a position, or within a day. They are not
 * changes of notes; the version that an accepted one became is one.
 */
export const readEndedProposals = async (
  { caller, company, deps }: McpSession,
  { since }: Pick<ListedRange, 'since'>,
): Promise<EndedProposals> => {
  if (caller.kind !== 'agent') {
    return noEndedProposals;
  }
  const { head, atMs } = since === null ? {} : readSince(since);
  // A decision may be stored after a list that was made at its time. It has no number, so some are shown twice.
  const sinceMs = head === undefined || atMs === undefined ? atMs : Math.max(0, atMs - lateMs);
  const from = new Date(sinceMs ?? deps.clock().getTime() - endedForMs);
  const rows = await read(deps.db, company.reach, (tx) =>
    listDecidedProposals(tx, caller.agentId, {
      since: from,
      limit: endedMax + 1,
      withVersions: false,
    }),
  );
  return { rows: rows.slice(0, endedMax), hasMore: rows.length > endedMax };
};

/** A line for each, and one if there are more. */
export const endedLines = (
  { rows, hasMore }: EndedProposals,
  labelOf: AuthorLabel,
  bytesMax: number,
): string[] => [
  ...rows.map((row) => endedLine(row, labelOf, bytesMax)),
  ...(hasMore ? ['… more of your proposals were rejected or expired before these'] : []),
];

const endedLine = (row: ListedProposalRow, labelOf: AuthorLabel, bytesMax: number): string => {
  const by = row.decidedBy ? ` by ${labelOf(row.decidedBy)}` : '';
  const why = row.decisionReason === null ? '' : `: ${oneLine(row.decisionReason, bytesMax)}`;
  return `your proposal ${row.id} for ${pathOf(row, bytesMax)} was ${row.state}${by}${why}`;
};
