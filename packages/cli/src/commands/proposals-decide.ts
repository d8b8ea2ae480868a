import type { Schema } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { CommandFailure, UsageError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { companyFlag, jsonFlag } from '../flags.ts';
import { openDecidingApi } from '../open-deciding-api.ts';
import { printJson, printNotice } from '../print.ts';

type Decision = Schema<'ProposalDecision'>;

/** One request takes so many. */
const decisionsMax = 100;

/** `commonplace proposals accept`: the notes become what is proposed. */
export const proposalsAccept = defineCommand({
  name: 'proposals accept',
  usage: '<id> … [options]',
  about: `Accepts proposals. What others wrote meanwhile is kept; a proposal that overlaps with it is
left open.`,
  positionals: { min: 1, max: decisionsMax },
  flags: { ...companyFlag, ...jsonFlag },
  footer: 'The exit code is 4 if one of them could not be accepted.',
  run: async ({ values, positionals }) =>
    decide(
      values,
      positionals.map((id) => ({ id, decision: 'accept' as const })),
    ),
});

/** `commonplace proposals reject`: the notes stay as they are. */
export const proposalsReject = defineCommand({
  name: 'proposals reject',
  usage: '<id> … --reason <text>',
  about: 'Rejects proposals. The agents that made them read the reason.',
  positionals: { min: 1, max: decisionsMax },
  flags: {
    reason: { type: 'string', value: '<text>', about: 'why' },
    ...companyFlag,
    ...jsonFlag,
  },
  footer: 'The exit code is 4 if one of them could not be rejected.',
  run: async ({ values, positionals }) => {
    const { reason } = values;
    if (!reason) {
      throw new UsageError(['--reason is missing']);
    }
    return decide(
      values,
      positionals.map((id) => ({ id, decision: 'reject' as const, reason })),
    );
  },
});

type Values = { readonly company?: string | undefined; readonly json?: boolean | undefined };

const decide = async (values: Values, decisions: Decision[]): Promise<number> => {
  const { data } = await openDecidingApi(values.company).post('/api/notes/proposals/decide', {
    body: { decisions },
  });
  if (values.json) {
    printJson(data);
  }
  for (const { id, status, revision, error } of values.json ? [] : data.results) {
    const became = revision === null ? '' : `: revision ${revision}`;
    printNotice(error ? `${id} is left open: ${error.detail}` : `${status} ${id}${became}`);
  }
  const failed = data.results.find(({ error }) => error);
  if (failed?.error) {
    const { code, detail } = failed.error;
    throw new CommandFailure(`not all were decided: ${detail}`, {
      exitCode: exitCodes.conflict,
      code,
    });
  }
  return 0;
};
