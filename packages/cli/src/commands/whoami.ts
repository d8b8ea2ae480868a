import type { Schema } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { jsonFlag } from '../flags.ts';
import { openApi } from '../open-api.ts';
import { paint, printJson, printText } from '../print.ts';

/** `commonplace whoami`: the agent and the credential of the environment. */
export const whoami = defineCommand({
  name: 'whoami',
  usage: '[options]',
  about: 'Prints which agent the credential of the environment belongs to, and what it may do.',
  positionals: { min: 0, max: 0 },
  flags: jsonFlag,
  run: async ({ values }) => {
    const { data: agent } = await openApi().get('/api/agents/me');
    if (values.json) {
      printJson(agent);
    } else {
      describeAgent(agent).forEach(printText);
    }
    return 0;
  },
});

const describeCredential = ({
  kind,
  runId,
  connectionId,
  keyId,
  client,
}: Schema<'CallingAgent'>['credential']): string => {
  if (kind === 'connection') {
    return `connection ${connectionId} of ${client?.name ?? 'a client'}`;
  }
  return kind === 'run' ? `run ${runId}` : `key ${keyId}`;
};

/** Servers of earlier releases say nothing of folders. */
const describeGrants = (grants: Schema<'CallingAgent'>['credential']['grants']): string =>
  grants ? grants.map(describeGrant).join(', ') || 'none' : 'all';

const describeGrant = ({ folder, scope, mode }: Schema<'NoteGrant'>): string =>
  `${folder || '(all)'} (${scope}${scope !== 'read' && mode === 'propose' ? ', propose' : ''})`;

const describeAgent = (agent: Schema<'CallingAgent'>): string[] => {
  const { credential, budget } = agent;
  const rows: [string, string][] = [
    ['agent', `${paint('bold', agent.name)} (${agent.role}), ${agent.status}`],
    ['id', agent.id],
    ['company', agent.companyId],
    ['credential', describeCredential(credential)],
    ['scopes', credential.scopes.join(', ')],
    ['folders', describeGrants(credential.grants)],
    ['expires', credential.expiresAt ?? 'never'],
    ['budget', `${budget.spentCents} of ${budget.monthlyCents ?? 'unlimited'} cents spent`],
    ['tokens', `${budget.spentTokens} of ${budget.monthlyTokens ?? 'unlimited'} used`],
  ];
  return rows.map(([label, text]) => `${label.padEnd(12)}${text}`);
};
