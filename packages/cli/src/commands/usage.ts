import type { Schema } from '@commonplace/client';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../errors.ts';
import { jsonFlag, oneOf, wholeNumber } from '../flags.ts';
import { openApi } from '../open-api.ts';
import { paint, printContent, printJson, printNotice, printText } from '../print.ts';

const groups = ['day', 'agent', 'model', 'run'] as const;
type Group = (typeof groups)[number];

/** The most items that one response has. */
const limitMax = 1_000;
const dayMs = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** `commonplace usage`: what the runs of the company used and cost. */
export const usage = defineCommand({
  name: 'usage',
  usage: '[options]',
  about: `Prints what the runs of the company used and cost, by UTC day, agent, model or run. Amounts are in cents of the
company's currency. Inside a run, \`commonplace usage report\` reports what it used.`,
  positionals: { min: 0, max: 0 },
  flags: {
    by: {
      type: 'string',
      value: '<group>',
      choices: groups,
      about: 'day (default), agent, model or run',
    },
    from: { type: 'string', value: '<day>', about: '2026-11-01; default 29 days before --to' },
    to: { type: 'string', value: '<day>', about: 'the last day, included; default today' },
    agent: {
      type: 'string',
      value: '<id>',
      about: 'with --by day or run, only what runs of this agent used',
    },
    limit: {
      type: 'string',
      short: 'n',
      value: '<n>',
      about: 'with --by agent, model or run, at most so many',
    },
    csv: { type: 'boolean', about: 'print a table for spreadsheets' },
    ...jsonFlag,
  },
  run: async ({ values }) => {
    const by = oneOf('by', values.by ?? 'day', groups);
    const to = values.to ?? dayOf(Date.now());
    const limit = wholeNumber('limit', values.limit, { min: 1, max: limitMax });
    if (by === 'day' && limit !== undefined) {
      throw new UsageError(['--limit needs --by agent, model or run: days are all of the range']);
    }
    if (values.csv && values.json) {
      throw new UsageError(['only one of --csv and --json']);
    }
    const api = openApi();
    const { data: agent } = await api.get('/api/agents/me');
    const params = {
      path: { companyId: agent.companyId },
      query: {
        from: values.from ?? dayOf((Date.parse(to) || 0) - 29 * dayMs),
        to,
        by,
        ...(values.agent !== undefined && { agentId: values.agent }),
        ...(limit !== undefined && { limit }),
      },
    };
    const path = '/api/companies/{companyId}/usage';
    if (values.csv) {
      const query = { ...params.query, format: 'csv' as const };
      const table = await api.get(path, { params: { ...params, query }, parseAs: 'text' });
      printTable(table.data);
      return 0;
    }
    const { data } = await api.get(path, { params });
    if (values.json) {
      printJson(data);
    } else {
      printUsage(data, by);
    }
    return 0;
  },
});

/** Prints CSV, whose lines end with CRLF; a terminal would show the CR as a character of the last column. */
const printTable = (csv: string): void => {
  printContent(process.stdout.isTTY ? csv.replaceAll('\r\n', '\n') : csv);
};

const printUsage = ({ items, total, others, nextCursor }: Schema<'Usage'>, by: Group): void => {
  items.forEach((item) => printText(line(nameOf(item, by), item)));
  if (others) {
    const count = by === 'model' ? others.models : others.agents;
    printText(line(`${count} more ${by}s`, others));
  }
  printText(paint('bold', line('total', total)));
  if (nextCursor !== null) {
    const remedy =
      items.length < limitMax ? 'raise --limit' : 'choose fewer days by --from and --to';
    printNotice(`there are more runs than these ${items.length}: ${remedy}`);
  }
};

const nameOf = ({ day, agent, model, run }: Schema<'UsageItem'>, by: Group): string => {
  switch (by) {
    case 'day':
      return day ?? '';
    case 'agent':
      return agent?.name ?? '';
    case 'model':
      return model ?? '(no model)';
    default:
      return `${run?.startedAt.slice(0, 16).replace('T', ' ')}  ${run?.status.padEnd(9)}  ${agent?.name}  ${run?.id}`;
  }
};

type Used = Pick<Schema<'UsageItem'>, 'costCents' | 'inputTokens' | 'outputTokens'>;

const line = (name: string, { costCents, inputTokens, outputTokens }: Used): string =>
  [
    `${costCents} cents`.padStart(14),
    `${inputTokens} in`.padStart(14),
    `${outputTokens} out`.padStart(14),
    `  ${name}`,
  ].join('');
