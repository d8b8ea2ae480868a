import { createClient } from '@commonplace/client';
import type { Command } from '../command.ts';
import { readEnvironment } from '../config.ts';
import { describeError } from '../describe-error.ts';
import type { BeatContext } from '../heartbeat/beat-context.ts';
import { beat } from '../heartbeat/beat.ts';
import { parseOptions } from '../heartbeat/parse-options.ts';
import { repeat } from '../heartbeat/repeat.ts';
import { catchStopSignals } from '../heartbeat/stop-signals.ts';

const help = `Usage: commonplace heartbeat --agent <id> [options] -- <command> [arguments]

Starts a run of the agent, gives the command the run's short-lived token, renews it in time, and
finishes the run with the command's outcome and cost. No shell reads the command.

Options:
  --agent <id>          the agent whose key this is
  --every <duration>    beat again and again: 30s, 5m, 1h; a beat never overlaps the one before
  --reserve-cents <n>   booked from the budget before the run begins
  --ttl-seconds <n>     lifetime of each token, 60-3600
  -h, --help            print this

Environment:
  COMMONPLACE_URL             the gateway, http://127.0.0.1:8080 unless set
  COMMONPLACE_API_KEY         the agent's API key; never an argument, which everybody could read
  COMMONPLACE_API_KEY_FILE    a file that holds the key instead; read anew for every request

The command gets PATH, HOME, USER, LOGNAME, LANG, LC_ALL, TZ and TMPDIR of this environment, and:
  SERVICE_API_KEY, SERVICE_BASE_URL, SERVICE_AGENT_ID, SERVICE_COMPANY_ID, SERVICE_RUN_ID
  SERVICE_TOKEN_FILE    a file that always holds the newest token
  SERVICE_REPORT_FILE   where the command may write {"costCents": n}

The exit code is the command's: 128 + n after signal n, 127 for an unknown command, 126 for one that
cannot run, 125 when the heartbeat itself failed. With --every it is 0 after a signal to stop.
`;

const say = (line: string): void => {
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
    say,
  };
  if (options.everyMs === undefined) {
    return beat(options, context);
  }
  const beatOrSay = (): Promise<unknown> =>
    beat(options, context).catch((error: unknown) => say(`no beat: ${describeError(error)}`));
  await repeat(options.everyMs, beatOrSay, context.signals.stop);
  return 0;
};

/** `commonplace heartbeat`: the life of a run around a command. */
export const heartbeat: Command = {
  summary: 'run a command as a run of an agent, once or every few minutes',
  help,
  run,
};
