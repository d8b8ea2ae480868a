import type { Schema } from '@commonplace/client';
import { describeError } from '../describe-error.ts';
import type { BeatContext } from './beat-context.ts';
import { childEnvironment } from './child-environment.ts';
import { finishRun } from './finish-run.ts';
import { createHandOver, type HandOver } from './hand-over.ts';
import { keepRunAlive } from './keep-run-alive.ts';
import type { HeartbeatOptions } from './parse-options.ts';
import { notStarted, runCommand, type CommandEnd } from './run-command.ts';
import { startRun } from './start-run.ts';

/** How long a command whose run has ended may take to notice, before it is killed. */
const graceMs = 10_000;

/** One beat: a run from its start to its end around the command. Answers the exit code. */
export const beat = async (options: HeartbeatOptions, context: BeatContext): Promise<number> => {
  const files = await createHandOver();
  try {
    const started = await startRun(options, context);
    const work = { command: options.command, started, files };
    const end = await superviseCommand(work, context).catch(notStarted);
    const { id: runId } = started.run;
    context.say(`run ${runId}: the command ${end.description}`);
    const status = end.exitCode === 0 ? 'succeeded' : 'failed';
    await finishRun({ runId, status, costCents: await costOf(end, files, context) }, context);
    return end.exitCode;
  } finally {
    await files.remove();
  }
};

type Work = {
  readonly command: HeartbeatOptions['command'];
  readonly started: Schema<'StartedRun'>;
  readonly files: HandOver;
};

/** Runs the command, with signals passed on and the token renewed as long as it runs. */
const superviseCommand = async (
  { command, started, files }: Work,
  { api, baseUrl, environment, signals, say }: BeatContext,
): Promise<CommandEnd> => {
  const { agentId, companyId, id: runId } = started.run;
  const { tokenFile, reportFile } = files;
  const facts = { token: started.token, baseUrl, agentId, companyId, runId, tokenFile, reportFile };
  await files.writeToken(started.token);
  if (signals.stop.aborted) {
    return { exitCode: signals.exitCode(), hasRun: false, description: 'was not started any more' };
  }
  const child = runCommand(command, childEnvironment(environment, facts));
  const stopForwarding = signals.forwardTo(child.send);
  const over = new AbortController();
  const renewals = keepRunAlive({
    api,
    started,
    onToken: files.writeToken,
    onRefused: (error) => {
      say(`run ${runId} goes on no more (${describeError(error)}): ending the command`);
      child.end(graceMs);
    },
    say,
    signal: over.signal,
  });
  const end = await child.ended;
  stopForwarding();
  over.abort();
  await renewals;
  return end;
};

/** A command that never ran cost nothing; one that reported nothing is charged its reservation. */
const costOf = async (
  end: CommandEnd,
  files: HandOver,
  { say }: BeatContext,
): Promise<number | undefined> => {
  if (!end.hasRun) {
    return 0;
  }
  try {
    return await files.readCostCents();
  } catch (error) {
    say(`the cost is not known: ${describeError(error)}`);
    return undefined;
  }
};
