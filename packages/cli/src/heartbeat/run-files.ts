import { lstat, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cents } from '@commonplace/contracts';
import { z } from 'zod';
import { codeOf } from '../describe-error.ts';
import { identifyProcess, runFolderPrefix, writeOwner } from './run-owner.ts';

/** The files shared with the command, in a folder that only this user can enter. */
export type RunFiles = {
  /** Contains only the newest token. */
  readonly tokenFile: string;
  /** The command may write its report here. */
  readonly reportFile: string;
  /** Writes the context of the run; returns its path. */
  readonly writeContext: (markdown: string) => Promise<string>;
  readonly writeToken: (token: string) => Promise<void>;
  /** Records the process of the command, so that the next heartbeat ends it if this one is killed. */
  readonly writeCommand: (pid: number) => Promise<void>;
  /** Undefined without a report. Throws for an invalid report. */
  readonly readReport: () => Promise<RunReport | undefined>;
  readonly remove: () => Promise<void>;
};

/** What a command reports. */
type RunReport = {
  readonly costCents: number;
  /** Members that a report does not have, as JSON: the first ones. */
  readonly unknown: readonly string[];
};

const reportBytesMax = 64 * 1024;
const reportSchema = z.looseObject({ costCents: cents });
const unknownMax = { count: 5, characters: 60 } as const;

/** Creates the folder. The token file appears with the first `writeToken`. */
export const createRunFiles = async (): Promise<RunFiles> => {
  const folder = await mkdtemp(join(tmpdir(), runFolderPrefix));
  await writeOwner(folder, { heartbeat: await identifyProcess(process.pid) });
  const tokenFile = join(folder, 'token');
  const reportFile = join(folder, 'report.json');
  const writeToken = async (value: string): Promise<void> => {
    // The rename is atomic: the command reads the old token or the new one, never a part of one.
    const next = join(folder, 'token.next');
    await writeFile(next, value, { mode: 0o600 });
    await rename(next, tokenFile);
  };
  return {
    tokenFile,
    reportFile,
    writeContext: async (markdown) => {
      const file = join(folder, 'context.md');
      await writeFile(file, markdown, { mode: 0o600 });
      return file;
    },
    writeToken,
    writeCommand: async (pid) =>
      writeOwner(folder, {
        heartbeat: await identifyProcess(process.pid),
        command: await identifyProcess(pid),
      }),
    readReport: () => readReport(reportFile),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const readReport = async (file: string): Promise<RunReport | undefined> => {
  try {
    const stats = await lstat(file);
    // Reading a pipe could block forever, and a link could point to an unrelated file.
    if (!stats.isFile() || stats.size > reportBytesMax) {
      throw new Error('it is not a regular file of at most 64 KiB');
    }
    return parseReport(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw new Error('The report must be {"costCents": <whole number>}.', { cause: error });
  }
};

const parseReport = (given: unknown): RunReport => {
  const { data, error } = reportSchema.safeParse(given);
  const unknown = typeof given === 'object' && given !== null ? unknownIn(given) : [];
  if (error) {
    const problems = error.issues.map(({ path, message }) => [...path, message].join(' '));
    // A mistyped name is no cost at all.
    const named = unknown.length === 0 ? [] : [`not known: ${unknown.join(', ')}`];
    throw new Error([...problems, ...named].join('; '));
  }
  return { costCents: data.costCents, unknown };
};

const unknownIn = (given: object): string[] =>
  Object.keys(given)
    .filter((name) => name !== 'costCents')
    .slice(0, unknownMax.count)
    .map((name) => JSON.stringify(name.slice(0, unknownMax.characters)));
