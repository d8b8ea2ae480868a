import { timestamp } from '@commonplace/contracts/core';
import {
  acceptProposalContract,
  decideProposalsContract,
  getProposalContract,
  listProposalsContract,
  rejectProposalContract,
} from '@commonplace/contracts/notes';
import { read } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import { nameAuthors } from '../context/name-authors.ts';
import type { Deps } from '../deps.ts';
import { authorsOfProposal, presentProposal } from '../present/present-proposal.ts';
import { acceptProposal } from '../proposals/accept-proposal.ts';
import { assertDecides } from '../proposals/assert-may-decide.ts';
import { decideMany } from '../proposals/decide-many.ts';
import { knownProposalViewer } from '../proposals/proposal-viewer.ts';
import { presentDecided, readProposal } from '../proposals/read-proposal.ts';
import { readProposalDetail } from '../proposals/read-proposal-detail.ts';
import { rejectProposal } from '../proposals/reject-proposal.ts';
import { countVisibleProposals, listProposals } from '../queries/list-proposals.ts';

type ProposalDeps = Pick<
  Deps,
  | 'db'
  | 'clock'
  | 'writeNotes'
  | 'describeAuthors'
  | 'describeRecent'
  | 'findProposalDeciders'
  | 'log'
>;

const proposalsCursor = pageCursor('proposals', z.tuple([timestamp, z.guid()]));

/** Lists the proposals that the caller sees. */
export const listProposalsRoute = (deps: ProposalDeps) =>
  defineRoute(listProposalsContract, async ({ query, caller, company }) => {
    const after = proposalsCursor.read(query);
    const viewer = await knownProposalViewer(deps, { caller, company });
    const [rows, open] = await read(deps.db, company.reach, (tx) =>
      Promise.all([
        listProposals(tx, {
          viewer,
          state: query.state ?? null,
          agentId: query.agentId ?? null,
          runId: query.runId ?? null,
          noteId: query.noteId ?? null,
          title: query.title ?? null,
          after: after && [new Date(after[0]), after[1]],
          limit: query.limit + 1,
        }),
        countVisibleProposals(tx, viewer),
      ]),
    );
    const { items, nextCursor } = proposalsCursor.page(query, rows, (row) => [
      row.createdAt.toISOString(),
      row.id,
    ]);
    const named = await nameAuthors(deps, company.id, items.flatMap(authorsOfProposal));
    return reply(200, {
      items: items.map((row) => presentProposal(row, company.id, named)),
      nextCursor,
      open,
    });
  });

/** Reads one proposal, compared with the note as it is now. */
export const getProposalRoute = (deps: ProposalDeps) =>
  defineRoute(getProposalContract, async ({ params, query, caller, company, work }) => {
    const row = await readProposal(deps, { caller, company }, params.proposalId);
    const detail = { row, context: query.context };
    return reply(200, await readProposalDetail({ ...deps, reader: work }, company.reach, detail));
  });

/** Accepts one proposal. */
export const acceptProposalRoute = (deps: ProposalDeps) =>
  defineRoute(acceptProposalContract, async ({ params, body, ...request }) => {
    await assertDecides(deps, request);
    const row = await readProposal(deps, request, params.proposalId);
    const decide = () => acceptProposal(deps, request, { row, text: body });
    return reply(200, { proposal: await presentDecided(deps, request, { row, decide }) });
  });

/** Rejects one proposal. */
export const rejectProposalRoute = (deps: ProposalDeps) =>
  defineRoute(rejectProposalContract, async ({ params, body, ...request }) => {
    await assertDecides(deps, request);
    const row = await readProposal(deps, request, params.proposalId);
    const decide = () => rejectProposal(deps, request, { row, reason: body.reason });
    return reply(200, { proposal: await presentDecided(deps, request, { row, decide }) });
  });

/** Decides about many proposals. */
export const decideProposalsRoute = (deps: ProposalDeps) =>
  defineRoute(decideProposalsContract, async ({ body, ...request }) => {
    await assertDecides(deps, request);
    return reply(200, { results: await decideMany(deps, request, body.decisions) });
  });
