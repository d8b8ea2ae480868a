import { relative } from 'node:path';
import { repositoryRoot } from '../../repository-root.ts';

/** Environment variables by which `pnpm test` names optional files to Jest and its workers. */
export const optionalFilesVariable = 'TEST_OPTIONAL_FILES';
export const optionalUntilVariable = 'TEST_OPTIONAL_UNTIL';

/** The title of the one test that an optional file has when the time is over. */
export const leftOutTitle = 'not run, no time was left';

const { [optionalFilesVariable]: names = '', [optionalUntilVariable]: until = '' } = process.env;

const places = new Map(names.split('|').map((file, place) => [file, place]));
const untilMs = until === '' ? Number.POSITIVE_INFINITY : Number(until);

/** The place of a test file among those that run last, and are left out when the time is over; -1 if it always runs. */
export const placeOf = (path: string): number => places.get(relative(repositoryRoot, path)) ?? -1;

/** Whether optional files are left out by now. */
export const isTimeOver = (): boolean => Date.now() > untilMs;
