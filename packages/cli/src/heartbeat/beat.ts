import { toLineOfText } from '@commonplace/contracts';
import { internalErrorCode } from '../command.ts';
import { describeError } from '../describe-error.ts';
import { childEnvironment } from './child-environment.ts';
import { createRunFiles, type RunFiles } from './run-files.ts';
import { keepRunAlive, type KeptRun } from './keep-run-alive.ts';
import type { HeartbeatOptions } from './parse-options.ts';
import { endKilledRuns } from './end-killed-runs.ts';
import { prepareContext, type PreparedContext } from './prepare-context.ts';
import { notStarted, runCommand, type CommandEnd } from './run-command.ts';
import { finishRun, startRun, type BeatContext, type StartedRun } from './run-lifecycle.ts';

/** The time between SIGTERM and SIGKILL for a command whose run has ended. */
const graceMs = 10_000;

/** One beat: starts a run, runs the command, finishes the run. Returns the exit code. */
export const beat = async (options: HeartbeatOptions, context: BeatContext): Promise<number> => {
  await endKilledRuns(context.log);
  const files = await createRunFiles();
  try {
    const started = await startRun(options, context);
    // Whatever happens from here on, the run is finished.
    const { commandEnd, prepared } = await runStarted(options, context, { started, files });
    if (commandEnd.exitCode === 0) {
      await prepared?.keepCursor();
    }
    const { id: runId } = started.run;
    context.log(`run ${runId}: the command ${commandEnd.description}`);
    const status = commandEnd.exitCode === 0 ? 'succeeded' : 'failed';
    const reason = status === 'failed' ? reasonOf(commandEnd) : undefined;
    await finishRun(
      { runId, status, reason, costCents: await costOf(commandEnd, files, context) },
      context,
    );
    return commandEnd.exitCode;
  } finally {
    await files.remove();
  }
};

type OpenRun = Pick<Work, 'started' | 'files'>;

type EndedRun = {
  readonly commandEnd: CommandEnd;
  readonly prepared?: PreparedContext | undefined;
};

/**
 * Prepares the context and runs the command, and renews the token meanwhile: a slow context must not cost the run. An
 * error before the command starts is its end.
 */
const runStarted = async (
  options: HeartbeatOptions,
  context: BeatContext,
  { started, files }: OpenRun,
): Promise<EndedRun> => {
  const { api, log } = context;
  let kept: KeptRun | undefined;
  try {
    await files.writeToken(started.token);
    kept = keepRunAlive({ api, started, onToken: files.writeToken, log });
    const prepared = await prepareContext(options, kept, context);
    const contextFile = prepared && (await files.writeContext(prepared.markdown));
    const work = { command: options.command, started, files, kept, contextFile };
    return { commandEnd: await superviseCommand(work, context), prepared };
  } catch (error) {
    return { commandEnd: notStarted(error) };
  } finally {
    await kept?.stop();
  }
};

type Work = {
  readonly command: HeartbeatOptions['command'];
  readonly started: StartedRun;
  readonly files: RunFiles;
  readonly kept: KeptRun;
  readonly contextFile: string | undefined;
};

/** Runs the command. While it runs, signals are forwarded, and it ends with its run. */
const superviseCommand = async (
  { command, started, files, kept, contextFile }: Work,
  { baseUrl, environment, signals, log }: BeatContext,
): Promise<CommandEnd> => {
  if (signals.stop.aborted || kept.ended.aborted) {
    const exitCode = signals.exitCode() || internalErrorCode;
    return { exitCode, hasRun: false, description: 'was not started' };
  }
  const { agentId, companyId, id: runId } = started.run;
  const { tokenFile, reportFile } = files;
  const details = {
    token: kept.token(),
    baseUrl,
    agentId,
    companyId,
    runId,
    tokenFile,
    reportFile,
    contextFile,
  };
  const child = runCommand(command, childEnvironment(environment, details));
  const stopForwarding = signals.forwardTo(child.send);
  kept.ended.addEventListener('abort', () => child.end(graceMs), { once: true });
  if (child.pid !== undefined) {
    await files
      .writeCommand(child.pid)
      .catch((error: unknown) => log(`the command is not recorded: ${describeError(error)}`));
  }
  const commandEnd = await child.ended;
  stopForwarding();
  return commandEnd;
};

const reasonCharsMax = 500;

/** Why the run failed, as an operator reads it: a line that the server accepts. */
const reasonOf = ({ description }: CommandEnd): string =>
  toLineOfText(`The command ${description}`, reasonCharsMax);

/** The cost of the command: 0 if it never ran, undefined if it reported none. */
const costOf = async (
  commandEnd: CommandEnd,
  files: RunFiles,
  { log }: BeatContext,
): Promise<number | undefined> => {
  if (!commandEnd.hasRun) {
    return 0;
  }
  try {
    const report = await files.readReport();
    if (report && report.unknown.length > 0) {
      log(`the report has members that are not known: ${report.unknown.join(', ')}`);
    }
    return report?.costCents;
  } catch (error) {
    log(`cost unknown: ${describeError(error)}`);
    return undefined;
  }
};
