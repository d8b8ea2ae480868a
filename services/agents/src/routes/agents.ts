import {
  listAgentsContract,
  listDirectoryContract,
  createAgentContract,
  getAgentContract,
  getMeContract,
  updateAgentContract,
  pauseAgentContract,
  resumeAgentContract,
  terminateAgentContract,
} from '@commonplace/contracts/agents';
import { lookup, read, write } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { budgetMonth } from '../policy/runs.ts';
import { showGrants, showOwnGrants } from '../policy/rights.ts';
import { presentAgent } from '../present/agents.ts';
import { listAgents, listDirectory } from '../queries/agents.ts';
import { auditContextOf } from '../commands/audit.ts';
import { createAgent } from '../commands/create-agent.ts';
import { readAgent } from '../commands/read-or-not-found.ts';
import type { AgentCaller } from '@commonplace/identity';
import { updateAgent } from '../commands/update-agent.ts';
import { listGrants, listScopes, type AgentStatus } from '@commonplace/contracts/core';
import { updateAgentStatus } from '../commands/update-agent-status.ts';
import { cancelFirstRuns } from '../commands/finish-cancellations.ts';

const agentsCursor = pageCursor('agents', z.tuple([z.string(), z.uuid()]));

/** Lists agents by name, with their managers and their spending of this month. */
export const listAgentsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(listAgentsContract, async ({ query, company }) => {
    const page = { after: agentsCursor.read(query), limit: query.limit };
    const filter = { ...query, month: budgetMonth(clock()) };
    const rows = await read(db, company.id, (tx) => listAgents(tx, filter, page));
    const { items, nextCursor } = agentsCursor.page(query, rows, (row) => [row.name, row.id]);
    return reply(200, { items: items.map(showGrants(company)).map(presentAgent), nextCursor });
  });

const directoryCursor = pageCursor('directory', z.tuple([z.string(), z.uuid()]));

/** Lists who works in the company by name, without titles and budgets: agents may read it. */
export const listDirectoryRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listDirectoryContract, async ({ query, company }) => {
    const page = { after: directoryCursor.read(query), limit: query.limit };
    const rows = await read(db, company.id, (tx) => listDirectory(tx, page));
    return reply(
      200,
      directoryCursor.page(query, rows, (row) => [row.name, row.id]),
    );
  });

/** Creates an active agent, up to the number that a company may have. */
export const createAgentRoute = ({
  db,
  clock,
  agentsMax,
}: Pick<Deps, 'db' | 'clock' | 'agentsMax'>) =>
  defineRoute(createAgentContract, async (request) => {
    const { body, company } = request;
    const audit = auditContextOf(request, clock);
    const row = await write(db, company.id, async (tx) =>
      readAgent(tx, await createAgent(tx, { ...body, agentsMax }, audit), audit.at),
    );
    return reply(201, presentAgent(row));
  });

/** Reads an agent, with its managers and its spending of this month. */
export const getAgentRoute = ({ lookups, clock }: Pick<Deps, 'lookups' | 'clock'>) =>
  defineRoute(getAgentContract, async ({ params, company }) => {
    const row = await lookup(lookups, company.id, (tx) => readAgent(tx, params.agentId, clock()));
    return reply(200, presentAgent(showGrants(company)(row)));
  });

/** Reads the agent that calls, and what its credential may do. */
export const getMeRoute = ({ lookups, clock }: Pick<Deps, 'lookups' | 'clock'>) =>
  defineRoute(getMeContract, async ({ caller, company }) => {
    const row = await lookup(lookups, company.id, (tx) => readAgent(tx, caller.agentId, clock()));
    return reply(200, {
      ...presentAgent(showOwnGrants(company, row)),
      credential: credentialOf(caller),
    });
  });

const credentialOf = ({ keyId, runId, connection, scopes, grants, expiresAt }: AgentCaller) => ({
  kind: connection ? ('connection' as const) : runId === null ? ('key' as const) : ('run' as const),
  ...(connection ? { connectionId: connection.id, client: connection.client } : {}),
  ...(keyId === null ? {} : { keyId }),
  ...(runId === null ? {} : { runId }),
  scopes: listScopes(scopes),
  grants: listGrants(grants ?? null),
  expiresAt,
});

/** Changes an agent but its status, which has routes of its own. */
export const updateAgentRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(updateAgentContract, async (request) => {
    const {
      params: { agentId },
      body,
      company,
    } = request;
    const audit = auditContextOf(request, clock);
    const row = await write(db, company.id, async (tx) => {
      await updateAgent(tx, { agentId, changes: body }, audit);
      return readAgent(tx, agentId, audit.at);
    });
    return reply(200, presentAgent(row));
  });

type Contract =
  | typeof pauseAgentContract
  | typeof resumeAgentContract
  | typeof terminateAgentContract;

/** The routes that pause, resume and terminate differ only in the status they set. */
const agentStatusRoute =
  (contract: Contract, status: AgentStatus) => (deps: Pick<Deps, 'db' | 'clock' | 'log'>) =>
    defineRoute(contract, async (request) => {
      const {
        params: { agentId },
        company,
      } = request;
      const audit = auditContextOf(request, deps.clock);
      await write(deps.db, company.id, (tx) => updateAgentStatus(tx, { agentId, status }, audit));
      if (status !== 'active') {
        await cancelFirstRuns(deps, company.id, 'status');
      }
      const row = await read(deps.db, company.id, (tx) => readAgent(tx, agentId, audit.at));
      return reply(200, presentAgent(row));
    });

/** Pauses an agent: its runs are cancelled, and its keys may only read. */
export const pauseAgentRoute = agentStatusRoute(pauseAgentContract, 'paused');

/** Makes a paused agent active again; its cancelled runs stay cancelled. */
export const resumeAgentRoute = agentStatusRoute(resumeAgentContract, 'active');

/** Ends an agent for good: its runs are cancelled and its keys revoked. */
export const terminateAgentRoute = agentStatusRoute(terminateAgentContract, 'terminated');
