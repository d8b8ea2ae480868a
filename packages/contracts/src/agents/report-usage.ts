import { routeContract } from '../route-contract.ts';
import { runParams } from './run.ts';
import { reportUsageBody, usageReport } from './usage-report.ts';

export const reportUsageContract = routeContract({
  operationId: 'reportUsage',
  service: 'agents',
  method: 'post',
  path: '/api/runs/{runId}/usage',
  tag: 'Runs',
  summary: 'Report what a run has used',
  description: `Adds to what the run has used: send what was used since the report before, with a new \`mutationId\`. A cost within the
reservation of the run is paid from it; what was not reserved counts at once. The report that exceeds a limit of the agent or the
company, in money or tokens, is booked too and gets 409 \`budget_exhausted\`; the run ends as \`cancelled\` with the reason \`budget\`,
and its token is rejected within a second. Where another run exceeded the limit before, a report that would add to it is not
booked (\`booked\` is false in the problem) and its run ends the same way. \`limit\` names what was exceeded. Amounts count in the month in which the run
started; a run that goes on in the next month is checked against both. A repeated report gets the same response again, also after
the end of the run: with the API key, or for an hour with the token of the run. A new report of an ended run is 409
\`run_finished\`, and listed with the run as \`refused\`. The same \`mutationId\` with other amounts is 409 \`mutation_id_reused\`. A run without new amounts need not report: finishing states the total, or adds nothing.`,
  params: runParams,
  body: reportUsageBody,
  responses: { 200: { description: 'The report was booked', schema: usageReport } },
  errors: [
    'not_found',
    'not_own_agent',
    'budget_exhausted',
    'run_finished',
    'mutation_id_reused',
    'agent_paused',
    'company_archived',
  ],
  acceptsEndedRun: true,
  access: {
    kind: 'company',
    company: 'entity',
    agents: 'itself_by_key_or_run',
    scope: 'runs:write',
    operators: 'never',
    // A repeated report gets its response whatever became of the agent since.
    state: 'handler',
    entities: { runId: 'run' },
  },
});
