import { createClient } from '@commonplace/client';
import type { Command } from '../command.ts';
import { readAccess } from '../config.ts';
import { catchStopSignals } from '../heartbeat/stop-signals.ts';
import { describeTally } from '../sync/describe-tally.ts';
import { dryRun } from '../sync/dry-run.ts';
import type { Tally } from '../sync/folder.ts';
import { openFolder, type OpenFolder } from '../sync/open-folder.ts';
import { parseSyncOptions, type SyncCommandOptions } from '../sync/parse-sync-options.ts';
import { createProgressView } from '../sync/show-progress.ts';
import { openFolderSync } from '../sync/sync-folder.ts';
import { tellLooks } from '../sync/tell-looks.ts';
import { watchFolder } from '../sync/watch-folder.ts';

const help = `Usage: commonplace sync <folder> [options]

Keeps a folder of Markdown files and the notes of the agent's company in step, both ways. What was
written on both sides is merged; what cannot be merged is kept in a second file beside the first.

Options:
  -w, --watch      stay, and synchronise whenever a file or a note changes
  --delete         delete the notes of files that are gone; without it, the files come back
  --delete-many    the same, even if more than a quarter of all files (and more than 10) are gone
  --background     hand more than 500 changes to the server as a background job
  --dry-run        only tell what would be sent
  -h, --help       print this

Environment:
  COMMONPLACE_URL             the gateway, http://127.0.0.1:8080 unless set
  COMMONPLACE_API_KEY         the agent's API key; never an argument, which everybody could read
  COMMONPLACE_API_KEY_FILE    a file that holds the key instead; read anew for every request
In a heartbeat the run's own token is used, unless there is a key.

The exit code is 0 when both sides are equal, 1 when files or notes were left alone (each is named,
with the reason), 125 when the synchronisation failed, 130 or 143 after a signal.
`;

/** Tells a line; in a watch with its time, since nobody knows when it was read. */
type Say = (line: string) => void;

const say: Say = (line) => {
  process.stderr.write(`commonplace sync: ${line}\n`);
};

const sayWithTime: Say = (line) => {
  process.stderr.write(`${new Date().toISOString()} commonplace sync: ${line}\n`);
};

const run: Command['run'] = async (args) => {
  const options = parseSyncOptions(args);
  if (options === 'help') {
    process.stdout.write(help);
    return 0;
  }
  const { baseUrl, credential } = readAccess();
  const api = createClient({ baseUrl, credential });
  const { data: agent } = await api.get('/api/agents/me');
  const opened = await openFolder(api, options.root, { baseUrl, companyId: agent.companyId });
  try {
    if (options.isDryRun) {
      (await dryRun(opened.folder)).forEach(say);
      return 0;
    }
    return await synchronise(api, opened, options);
  } finally {
    await opened.close();
  }
};

const synchronise = async (
  api: ReturnType<typeof createClient>,
  { folder }: OpenFolder,
  options: SyncCommandOptions,
): Promise<number> => {
  const { stop: signal, exitCode } = catchStopSignals();
  const sync = openFolderSync(folder);
  const progress = createProgressView(process.stderr);
  const onProgress = progress.show;
  const look = async (): Promise<Tally> => {
    try {
      return await sync({ ...options, isPatient: options.isWatching, signal, onProgress });
    } finally {
      progress.clear();
    }
  };
  try {
    const tally = await look();
    const tell = options.isWatching ? sayWithTime : say;
    describeTally(tally).forEach(tell);
    if (!options.isWatching) {
      return tally.problems.length > 0 ? 1 : 0;
    }
    tell(`watching ${options.root}`);
    const teller = tellLooks(tell, tally);
    await watchFolder({
      api,
      root: options.root,
      signal,
      look: async () => {
        const next = await look();
        teller.told(next);
        return next;
      },
      onTrouble: teller.troubled,
    });
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
  return exitCode();
};

/** `commonplace sync`: a folder of Markdown files in step with a company's notes. */
export const sync: Command = {
  summary: 'keep a folder of Markdown files in step with the notes',
  help,
  run,
};
