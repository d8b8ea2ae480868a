import { createClient } from '@commonplace/client';
import { internalErrorCode, type Command } from '../command.ts';
import { readEnvironment } from '../config.ts';
import { describeError } from '../describe-error.ts';
import { formatHelp } from '../format-help.ts';
import { beat } from '../heartbeat/beat.ts';
import { heartbeatFlags } from '../heartbeat/heartbeat-flags.ts';
import { parseOptions } from '../heartbeat/parse-options.ts';
import { printError } from '../print.ts';
import { runEvery } from '../heartbeat/run-every.ts';
import type { BeatContext } from '../heartbeat/run-lifecycle.ts';
import { catchStopSignals } from '../heartbeat/stop-signals.ts';

const footer = `The key is in COMMONPLACE_API_KEY or COMMONPLACE_API_KEY_FILE. The command gets SERVICE_API_KEY,
SERVICE_TOKEN_FILE, SERVICE_BASE_URL, SERVICE_AGENT_ID, SERVICE_COMPANY_ID, SERVICE_RUN_ID,
SERVICE_USAGE_URL to report what it uses, SERVICE_REPORT_FILE for {"costCents": n}, and with --context SERVICE_CONTEXT_FILE.
The exit code is that of the command: 128 + n after signal n, 127 if the program does not exist, 126
if it cannot be executed; 125 if the heartbeat itself fails; with --every 0 after a stop signal.`;

const log = (line: string): void => {
  printError(`commonplace heartbeat: ${line}`);
};

const logAsJson = (message: string): void => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), message })}\n`);
};

const run: Command['run'] = async (args) => {
  const options = parseOptions(args);
  const { baseUrl, apiKey, environment } = readEnvironment();
  const context: BeatContext = {
    api: createClient({ baseUrl, credential: apiKey }),
    baseUrl,
    environment,
    signals: catchStopSignals(),
    log: options.isJson ? logAsJson : log,
  };
  if (options.everyMs === undefined) {
    return beat(options, context);
  }
  const beatOrLog = (): Promise<unknown> =>
    beat(options, context).catch((error: unknown) =>
      context.log(`beat failed: ${describeError(error)}`),
    );
  await runEvery(options.everyMs, beatOrLog, context.signals.stop);
  return 0;
};

/** `commonplace heartbeat`: runs a command as a run of an agent. */
export const heartbeat: Command = {
  name: 'heartbeat',
  help: formatHelp({
    name: 'heartbeat',
    usage: '--agent <id> [options] -- <command> [arguments]',
    about: `Starts a run of the agent, gives the command the run's short-lived token, renews the token, and
finishes the run with the command's outcome and cost. The command is not run in a shell.`,
    flags: heartbeatFlags,
    footer,
  }),
  flags: heartbeatFlags,
  failureCode: internalErrorCode,
  run,
};
