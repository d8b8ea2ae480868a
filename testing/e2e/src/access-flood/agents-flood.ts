import pg from 'pg';
import { bearer } from '../call-api.ts';
import { makeCompanyKey } from '../world.ts';
import { clientsFrom, type FloodWorld } from './flood-world.ts';
import { rowsOf } from './report.ts';
import { sendFromThread } from './send-from-thread.ts';
import { sendRepeatedly, type Figures, type SentRequest } from './send-repeatedly.ts';

/** More than a company may have by default: twice, as one from before the limit. */
const agents = 20_000;
/** Each has a report of usage on so many days. */
const days = 9;
/** Every agent but the first few has a manager with so many reports. */
const reports = 10;
const flooders = 32;

/** Measures reads of a company beside org charts, usage by agent and lists of agents of one with 20,000 agents. */
export const measureAgentsFlood = async (world: FloodWorld): Promise<void> => {
  const { api, headers } = await world.signInAsBoard();
  const { companyId } = await makeCompanyKey(api, 'Company of many agents');
  await insertAgents(world.system.databaseUrl, companyId);
  const today = new Date();
  const dayOf = (daysAgo: number) =>
    new Date(today.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const company = `/api/companies/${companyId}`;
  const get = (path: string): SentRequest => ({ method: 'GET', path: company + path, headers });
  const floods: [string, SentRequest[]][] = [
    ['org charts', [get('/org-chart')]],
    ['reports of usage', [get(`/usage?from=${dayOf(days)}&to=${dayOf(0)}&by=agent`)]],
    ['lists of agents', [get('/agents?limit=200')]],
  ];
  const mixed = floods.flatMap(([, requests]) => requests);
  const alone = await readAsNeighbour(world);
  for (const [name, requests] of [...floods, ['all three', mixed] as const]) {
    const [during, flooded] = await Promise.all([
      readAsNeighbour(world),
      sendFromThread(clientsFrom(world, '127.0.0.3', flooders), requests),
    ]);
    const beside = `beside ${flooders} clients for ${name} of ${agents} agents`;
    world.report.print(`agents/me ${beside}`, during.me);
    world.report.print(`reads of a note ${beside}`, during.note);
    world.report.print('  their requests', flooded);
    world.report.add(
      ...rowsOf(`agents/me ${beside}`, { alone: alone.me, during: during.me }),
      ...rowsOf(`reads of a note ${beside}`, { alone: alone.note, during: during.note }),
    );
  }
};

type Reads = { readonly me: Figures; readonly note: Figures };

const readAsNeighbour = async (world: FloodWorld): Promise<Reads> => {
  const { key, noteId } = world.neighbour;
  const read = (path: string) =>
    sendRepeatedly({
      ...clientsFrom(world, '127.0.0.1', 2),
      next: () => ({ method: 'GET', path, headers: bearer(key) }),
    });
  const [me, note] = await Promise.all([read('/api/agents/me'), read(`/api/notes/${noteId}`)]);
  return { me, note };
};

/** Adds agents below each other, with usage of the last days. */
const insertAgents = async (databaseUrl: string, companyId: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(insertAgentsSql, [companyId, agents, reports]);
    await client.query(insertUsageSql, [companyId, days]);
    await client.query('analyze agents.agents, agents.usage_days');
  } finally {
    await client.end();
  }
};

/** Agent number n has an id that ends in n. */
const idOf = (number: string): string =>
  `('00000000-0000-4000-8000-' || lpad(${number}, 12, '0'))::uuid`;

const insertAgentsSql = `
  insert into agents.agents (
    company_id, id, name, title, role, status, reports_to, created_at, updated_at
  )
  select $1::uuid, ${idOf('n::text')}, 'Agent ' || n, 'Title of agent ' || n, 'researcher', 'active',
    case when n > $3 then ${idOf('(n / $3)::text')} end, now(), now()
  from generate_series(1, $2::integer) n`;

const insertUsageSql = `
  insert into agents.usage_days (
    company_id, day, agent_id, succeeded_runs, failed_runs, cancelled_runs, expired_runs, cost_cents
  )
  select a.company_id, current_date - d, a.id, 1, 0, 0, 0, 5
  from agents.agents a, generate_series(0, $2::integer - 1) d
  where a.company_id = $1`;
