import { createClient } from '@commonplace/client';
import type { Command } from '../command.ts';
import { readEnvironment } from '../config.ts';
import { describeError } from '../describe-error.ts';
import { beat } from '../heartbeat/beat.ts';
import { parseOptions } from '../heartbeat/parse-options.ts';
import { runEvery } from '../heartbeat/run-every.ts';
import type { BeatContext } from '../heartbeat/run-lifecycle.ts';
import { catchStopSignals } from '../heartbeat/stop-signals.ts';

const help = `Usage: commonplace heartbeat --agent <id> [options] -- <command> [arguments]

Starts a run of the agent, gives the command the run's short-lived token, renews the token, and
finishes the run with the command's outcome and cost. The command is not run in a shell.

Options:
  --agent <id>          the agent whose key this is
  --every <duration>    repeat at this interval: 30s, 5m, 1h; beats never overlap
  --reserve-cents <n>   reserve this much of the budget before the run starts
  --ttl-seconds <n>     lifetime of each token, 60-3600
  --scopes <list>       what the token may do, for example notes:read,notes:write; by default
                        as much as the key
  --context             before each beat, write what the agent should know to a file: pinned
                        notes, its budget, and what others changed since its last success
  --context-query <q>   also notes that match this text
  -h, --help            print this text

Environment:
  COMMONPLACE_URL             URL of the gateway; default http://127.0.0.1:8080
  COMMONPLACE_API_KEY         the agent's API key; not an argument, because all users can read those
  COMMONPLACE_API_KEY_FILE    a file with the key instead; read again for every request

The command gets PATH, HOME, USER, LOGNAME, LANG, LC_ALL, TZ and TMPDIR of this environment, and:
  SERVICE_API_KEY, SERVICE_BASE_URL, SERVICE_AGENT_ID, SERVICE_COMPANY_ID, SERVICE_RUN_ID
  SERVICE_TOKEN_FILE    a file that always contains the newest token
  SERVICE_REPORT_FILE   where the command may write {"costCents": n}
  SERVICE_CONTEXT_FILE  with --context, a Markdown file; absent if it could not be fetched

The exit code is that of the command: 128 + n after signal n, 127 if the program does not exist, 126
if it cannot be executed. It is 125 if the heartbeat itself fails. With --every it is 0 after a stop
signal.
`;

const log = (line: string): void => {
  process.stderr.write(`commonplace heartbeat: ${line}\n`);
};

const run: Command['run'] = async (args) => {
  const options = parseOptions(args);
  if (options === 'help') {
    process.stdout.write(help);
    return 0;
  }
  const { baseUrl, apiKey, environment } = readEnvironment();
  const context: BeatContext = {
    api: createClient({ baseUrl, credential: apiKey }),
    baseUrl,
    environment,
    signals: catchStopSignals(),
    log,
  };
  if (options.everyMs === undefined) {
    return beat(options, context);
  }
  const beatOrLog = (): Promise<unknown> =>
    beat(options, context).catch((error: unknown) => log(`beat failed: ${describeError(error)}`));
  await runEvery(options.everyMs, beatOrLog, context.signals.stop);
  return 0;
};

/** `commonplace heartbeat`: runs a command as a run of an agent. */
export const heartbeat: Command = {
  summary: 'run a command as a run of an agent, once or periodically',
  help,
  run,
};
