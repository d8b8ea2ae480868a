import { hasScope } from '@commonplace/contracts/core';
import { presentContextAgent } from '../../present/present-context.ts';
import type { AgentCaller } from '@commonplace/identity';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { oneLine } from '../format.ts';
import { describeGrants } from '../describe-grants.ts';
import { scopesOf } from '../may-call.ts';
import type { McpSession } from '../mcp-session.ts';
import { texts } from '../tool-result.ts';

export const whoami = defineTool({
  name: 'whoami',
  description: 'Who you are, what your credential may do, and who else works in the company.',
  contract: null,
  effect: 'reads',
  input: z.strictObject({}),
  run: async (session) =>
    texts(
      [
        ...(await describeCaller(session)),
        `company: ${session.company.id}`,
        `scopes: ${scopesOf(session).join(', ')}`,
        ...describeGrants(session.company),
        ...(await describeDirectory(session)),
      ].join('\n'),
    ),
});

const describeCaller = async ({ caller, company, deps }: McpSession): Promise<string[]> => {
  if (caller.kind === 'operator') {
    return [
      `operator: ${oneLine(caller.name)} (${caller.operatorId}), ${company.role ?? 'no role'}`,
    ];
  }
  const { agent } = await deps.describeAuthors({
    companyId: company.id,
    agentId: caller.agentId,
    authors: [],
  });
  const { expiresAt } = caller;
  const manager = agent ? presentContextAgent(agent)?.manager : null;
  return [
    `agent: ${oneLine(caller.agentName)} (${caller.agentId}), ${caller.agentStatus}`,
    ...(agent ? [`role: ${oneLine(agent.role)}`] : []),
    ...(manager ? [`reports to: ${oneLine(manager.name)} (${manager.id})`] : []),
    ...(agent && agent.budget.remainingCents !== null
      ? [`budget left: ${agent.budget.remainingCents} cents`]
      : []),
    ...(agent && agent.budget.remainingTokens !== null
      ? [`tokens left: ${agent.budget.remainingTokens}`]
      : []),
    `credential: ${describeCredential(caller)}`,
    ...(expiresAt === null ? [] : [`expires: ${expiresAt}`]),
  ];
};

const describeCredential = ({ runId, connection }: AgentCaller): string => {
  if (connection) {
    const { name, host } = connection.client;
    return `connection of ${oneLine(name)} (${oneLine(host)})`;
  }
  return runId === null ? 'API key' : `token of run ${runId}`;
};

const directoryMax = 200;

const describeDirectory = async ({ caller, company, deps }: McpSession): Promise<string[]> => {
  if (caller.kind === 'agent' && !hasScope(caller.scopes, 'agents:read')) {
    return ['directory: needs the scope agents:read'];
  }
  const { items, hasMore } = await deps.listDirectory(company.id, directoryMax);
  return [
    'directory:',
    ...items.map(
      ({ id, name, role, status }) =>
        `- ${oneLine(name, 60)} (${id}) · ${oneLine(role, 60)}${status === 'active' ? '' : ` · ${status}`}`,
    ),
    ...(hasMore ? [`… more than ${directoryMax}; GET /api/agents/directory lists all`] : []),
  ];
};
