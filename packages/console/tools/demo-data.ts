import { bearer, createApi, type Api } from '@commonplace/e2e';
import { must } from './must.ts';
import { fillNotes } from './demo-notes.ts';
import { fillProposals } from './demo-proposals.ts';

/** The addresses of the demo data. */
export type DemoData = {
  readonly companyId: string;
  readonly company: string;
  /** An agent with a manager, reports, keys and runs. */
  readonly agent: string;
  /** A failed run that wrote a note. */
  readonly run: string;
  /** A note with a history. */
  readonly note: string;
  /** The conflict copy of a note. */
  readonly conflict: string;
  readonly syncJob: string;
  /** A proposal that overlaps with what others wrote. */
  readonly overlap: string;
  /** A proposal of a new note. */
  readonly proposedNote: string;
};

/** Creates a company with data for every page of the console. */
export const createDemoData = async (baseUrl: string, board: Api): Promise<DemoData> => {
  const companyId = String(
    (await must(board, 'POST /api/companies', { name: 'Aurora Labs' }))['id'],
  );
  const company = `/companies/${companyId}`;
  await must(board, 'POST /api/companies', { name: 'Borealis Works' });
  const agents = await makeAgents(board, companyId);
  const { byKey, failedRunId } = await makeRuns(baseUrl, board, agents);
  const { noteId, conflictId, jobId } = await fillNotes(byKey);
  const agent = `/api/agents/${agents['Fay']}`;
  const { overlapId, newNoteId } = await fillProposals(byKey, { baseUrl, board, agent });
  await must(board, `POST /api/agents/${agents['Eli']}/pause`);
  await must(board, `POST /api/agents/${agents['Gus']}/terminate`);
  for (const [email, role] of [
    ['nora@example.org', 'operator'],
    ['otto@example.org', 'viewer'],
  ]) {
    await must(board, `POST /api${company}/invites`, { email, role });
  }
  return {
    companyId,
    company,
    agent: `${company}/agents/${agents['Bo']}`,
    run: `${company}/runs/${failedRunId}`,
    note: `${company}/notes/${noteId}`,
    conflict: `${company}/notes/${conflictId}/conflict`,
    syncJob: `${company}/sync-jobs?job=${jobId}`,
    overlap: `${company}/proposals?proposal=${overlapId}`,
    proposedNote: `${company}/proposals?proposal=${newNoteId}`,
  };
};

/** Name, role, title, manager, monthly budget in cents. */
const staff = [
  ['Ada', 'lead', 'Head of research', null, 250_000],
  ['Bo', 'researcher', 'Literature', 'Ada', 80_000],
  ['Cy', 'researcher', 'Experiments', 'Ada', 120_000],
  ['Di', 'writer', 'Reports', 'Bo', 40_000],
  ['Eli', 'reviewer', '', 'Bo', 25_000],
  ['Fay', 'operator', 'Lab robots', 'Cy', 60_000],
  ['Gus', 'intern', 'Summer 2025', 'Cy', 5_000],
] as const;

type AgentIds = Readonly<Record<string, string>>;

const makeAgents = async (board: Api, companyId: string): Promise<AgentIds> => {
  const ids: Record<string, string> = {};
  for (const [name, role, title, manager, monthlyCents] of staff) {
    const made = await must(board, `POST /api/companies/${companyId}/agents`, {
      name,
      role,
      title,
      reportsTo: manager === null ? null : ids[manager],
      budget: { monthlyCents },
    });
    ids[name] = String(made['id']);
  }
  return ids;
};

/** Agent, reserved cents, outcome of the run, cost in cents, and why it failed. */
const runs = [
  ['Ada', 30_000, 'succeeded', 18_250],
  ['Bo', 45_000, 'succeeded', 38_940],
  ['Cy', 60_000, 'failed', 31_000, 'The robot arm lost its calibration'],
  ['Cy', 50_000, 'succeeded', 44_780],
  ['Di', 40_000, 'succeeded', 40_000],
  ['Fay', 8_000, 'running', 0],
  ['Bo', 12_500, 'running', 0],
] as const;

/** Creates the runs with keys of the agents; returns the API with the key of Bo, and the failed run. */
const makeRuns = async (
  baseUrl: string,
  board: Api,
  agents: AgentIds,
): Promise<{ readonly byKey: Api; readonly failedRunId: string }> => {
  const apis = new Map<string, Api>();
  let failedRunId = '';
  for (const [name, reserveCents, outcome, costCents, reason] of runs) {
    const agent = `/api/agents/${agents[name]}`;
    const api = apis.get(name) ?? (await makeKey(baseUrl, board, agent));
    apis.set(name, api);
    const { run, token } = (await must(api, `POST ${agent}/runs`, {
      reserveCents,
      ttlSeconds: 3600,
    })) as { readonly run: { readonly id: string }; readonly token: string };
    if (reason !== undefined) {
      failedRunId = run.id;
      await workInVain(createApi({ baseUrl, headers: bearer(token) }), run.id);
    }
    if (outcome !== 'running') {
      const end = { status: outcome, costCents, ...(reason === undefined ? {} : { reason }) };
      await must(api, `POST /api/runs/${run.id}/finish`, end);
    }
  }
  const byKey = apis.get('Bo');
  if (!byKey) {
    throw new Error('Bo has no run, and so no key.');
  }
  return { byKey, failedRunId };
};

/** What the run of `workInVain` reports to have used. */
const reports = [
  { mutationId: '1', costCents: 12_000, inputTokens: 240_000, outputTokens: 9_000, model: 'large' },
  { mutationId: '2', costCents: 3_000, inputTokens: 90_000, outputTokens: 4_000, model: 'small' },
];

/** A run that writes a note, reports what it uses and is renewed, as its page shows. */
const workInVain = async (byToken: Api, runId: string): Promise<void> => {
  await must(byToken, 'POST /api/notes', {
    title: 'Calibration log',
    folder: 'lab',
    content: 'Arm 2 drifts by 0.4 mm.\nRecalibrated twice.',
  });
  await must(byToken, `POST /api/runs/${runId}/renew`, {});
  for (const report of reports) {
    await must(byToken, `POST /api/runs/${runId}/usage`, report);
  }
};

const makeKey = async (baseUrl: string, board: Api, agent: string): Promise<Api> => {
  const { key } = await must(board, `POST ${agent}/keys`, { name: 'heartbeat' });
  return createApi({ baseUrl, headers: bearer(String(key)) });
};
