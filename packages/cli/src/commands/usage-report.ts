import { randomUUID } from 'node:crypto';
import { readRunId } from '../config.ts';
import { defineCommand } from '../define-command.ts';
import { UsageError } from '../errors.ts';
import { jsonFlag, wholeNumber } from '../flags.ts';
import { repeat } from '../notes/repeat.ts';
import { openApi } from '../open-api.ts';
import { printJson, printText } from '../print.ts';

/** The largest amounts that the server takes. */
const centsMax = 100_000_000_000;
const tokensMax = 1_000_000_000_000;

/** `commonplace usage report`: adds to what a run has used. */
export const usageReport = defineCommand({
  name: 'usage report',
  usage: '[options]',
  about: `Reports what a run has used since its last report; by default the run of this heartbeat (SERVICE_RUN_ID).
The exit code is 4 if the budget is exhausted: the run has ended then.`,
  positionals: { min: 0, max: 0 },
  flags: {
    run: { type: 'string', value: '<id>', about: 'another run of the agent, with its API key' },
    'cost-cents': {
      type: 'string',
      value: '<n>',
      about: 'in the minor unit of the company’s currency',
    },
    'input-tokens': { type: 'string', value: '<n>', about: 'tokens that were sent to the model' },
    'output-tokens': { type: 'string', value: '<n>', about: 'tokens that the model returned' },
    model: { type: 'string', value: '<name>', about: 'the model that was used' },
    'mutation-id': {
      type: 'string',
      value: '<text>',
      about: 'a repeated report with it is booked once',
    },
    ...jsonFlag,
  },
  run: async ({ values }) => {
    const runId = values.run ?? readRunId();
    if (runId === undefined) {
      throw new UsageError(['--run is required outside a run (SERVICE_RUN_ID is not set)']);
    }
    const tokens = (name: 'input-tokens' | 'output-tokens') =>
      wholeNumber(name, values[name], { min: 0, max: tokensMax });
    const costCents = wholeNumber('cost-cents', values['cost-cents'], { min: 0, max: centsMax });
    const [inputTokens, outputTokens] = [tokens('input-tokens'), tokens('output-tokens')];
    if (costCents === undefined && inputTokens === undefined && outputTokens === undefined) {
      throw new UsageError(['--cost-cents, --input-tokens or --output-tokens is required']);
    }
    const body = {
      mutationId: values['mutation-id'] ?? randomUUID(),
      ...(costCents !== undefined && { costCents }),
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
      ...(values.model !== undefined && { model: values.model }),
    };
    const api = openApi();
    const { data } = await repeat(() =>
      api.post('/api/runs/{runId}/usage', { params: { path: { runId } }, body }),
    );
    if (values.json) {
      printJson(data);
      return 0;
    }
    const { total } = data;
    printText(
      `run ${runId}: ${total.costCents ?? 0} cents, ${total.inputTokens} tokens in, ${total.outputTokens} out`,
    );
    return 0;
  },
});
