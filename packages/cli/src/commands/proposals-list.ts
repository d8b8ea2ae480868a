import type { Schema } from '@commonplace/client';
import { agentVariables, isAgent } from '../config.ts';
import { collectPages } from '../collect-pages.ts';
import { defineCommand } from '../define-command.ts';
import { companyFlag, jsonFlag, oneOf, wholeNumber } from '../flags.ts';
import { pathOf } from '../notes/resolve-note.ts';
import { openDecidingApi } from '../open-deciding-api.ts';
import { paint, printJson, printNotice, printText } from '../print.ts';

/** The most that one request returns. */
const pageItemsMax = 200;

const states = ['open', 'accepted', 'rejected', 'superseded', 'expired'] as const;

/** `commonplace proposals list`: what agents would change. */
export const proposalsList = defineCommand({
  name: 'proposals list',
  usage: '[options]',
  about: `Lists what agents propose, newest first; without --state the open ones. An operator sees all
(COMMONPLACE_SESSION, or a server in local mode and no key), an agent its own.`,
  positionals: { min: 0, max: 0 },
  flags: {
    state: {
      type: 'string',
      value: '<state>',
      choices: [...states, 'all'],
      about: 'open, accepted, rejected, superseded, expired or all',
    },
    run: { type: 'string', value: '<id>', about: 'only those of a run' },
    agent: { type: 'string', value: '<id>', about: 'only those of an agent' },
    limit: { type: 'string', short: 'n', value: '<n>', about: 'at most this many; default 50' },
    ...companyFlag,
    ...jsonFlag,
  },
  run: async ({ values }) => {
    const { run, agent, company } = values;
    const state = oneOf('state', values.state ?? 'open', [...states, 'all'] as const);
    const limit = wholeNumber('limit', values.limit, { min: 1, max: 10_000 }) ?? 50;
    const filter = {
      ...(state === 'all' ? {} : { state }),
      ...(run !== undefined && { runId: run }),
      ...(agent !== undefined && { agentId: agent }),
    };
    const api = openDecidingApi(company);
    let open = 0;
    const { items, hasMore } = await collectPages(
      async (page) => {
        const query = { ...filter, ...page };
        const { data } = await api.get('/api/notes/proposals', { params: { query } });
        ({ open } = data);
        return data;
      },
      { limit, pageItemsMax },
    );
    if (values.json) {
      printJson({ items, hasMore, open });
      return 0;
    }
    if (isAgent()) {
      printNotice(ofAgent());
    }
    items.map(proposalLine).forEach(printText);
    if (hasMore) {
      printNotice(`there are more proposals than these ${limit}: raise --limit`);
    }
    return 0;
  },
});

/** Nothing would be all that a person sees who has forgotten the key of an agent in the environment. */
const ofAgent = (): string =>
  `as the agent of ${agentVariables().join(', ')}, which sees its own proposals and those that it may decide about; an operator without it all`;

/** A proposal on a line. */
export const proposalLine = (proposal: Schema<'Proposal'>): string => {
  const { id, state, title, folder, author, createdAt, proposalOf, reason } = proposal;
  const place = pathOf({ folder, title: title === '' ? 'Untitled' : title, id });
  const kind = proposalOf === null ? 'new note' : 'change';
  return [
    `${id}  ${state.padEnd(10)} ${paint('bold', place)}`,
    `${kind} by ${author.name ?? author.id}`,
    createdAt,
    ...(reason === null ? [] : [reason]),
  ].join(paint('dim', ' · '));
};
