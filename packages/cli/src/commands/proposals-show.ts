import { defineCommand } from '../define-command.ts';
import { companyFlag, jsonFlag } from '../flags.ts';
import { printDiffs } from '../notes/print-diffs.ts';
import { openDecidingApi } from '../open-deciding-api.ts';
import { printJson, printText } from '../print.ts';
import { proposalLine } from './proposals-list.ts';

/** `commonplace proposals show`: one proposal, and how the note would change. */
export const proposalsShow = defineCommand({
  name: 'proposals show',
  usage: '<id> [options]',
  about: 'Prints how a note would change by a proposal, as a unified diff of each field.',
  positionals: { min: 1, max: 1 },
  flags: {
    ...companyFlag,
    ...jsonFlag,
  },
  run: async ({ values, positionals: [id = ''] }) => {
    const { data } = await openDecidingApi(values.company).get(
      '/api/notes/proposals/{proposalId}',
      { params: { path: { proposalId: id } } },
    );
    if (values.json) {
      printJson(data);
    } else {
      printText(proposalLine(data));
      printDiffs(data.diff);
    }
    return 0;
  },
});
