import {
  archiveEnd,
  archiveHeader,
  archiveTable,
  archiveTableEnd,
  frameKinds,
} from './archive-format.ts';
import type { ArchiveHeader, Frame } from './archive-format.ts';
import { readFrames } from './read-frames.ts';
import { serviceNames } from '../service-names.ts';

/** What is in a backup. */
export type BackupContent = ArchiveHeader & {
  readonly rows: Readonly<Record<string, number>>;
};

/**
 * Reads a backup completely and returns its header and numbers of rows. Throws if the file is not a backup, is
 * damaged or incomplete.
 */
export const verifyBackup = async (path: string): Promise<BackupContent> => {
  try {
    return await inspect(readFrames(path));
  } catch (error) {
    throw new Error(`${path} cannot be restored: ${(error as Error).message}`, { cause: error });
  }
};

const inspect = async (frames: AsyncIterable<Frame>): Promise<BackupContent> => {
  let header: ArchiveHeader | undefined;
  let isEnded = false;
  let table = '';
  let rows = 0;
  const counted: Record<string, number> = {};
  for await (const { kind, content } of frames) {
    if (kind === frameKinds.header) {
      header = archiveHeader.parse(JSON.parse(content.toString()));
    } else if (kind === frameKinds.table) {
      table = archiveTable.parse(JSON.parse(content.toString())).name;
      rows = 0;
    } else if (kind === frameKinds.data) {
      rows += countLines(content);
    } else if (kind === frameKinds.tableEnd) {
      assertRows(table, rows, archiveTableEnd.parse(JSON.parse(content.toString())).rows);
      counted[table] = rows;
    } else {
      const end = archiveEnd.parse(JSON.parse(content.toString()));
      assertRows('all tables', sumOf(counted), end.rows);
      isEnded = end.tables === Object.keys(counted).length;
    }
  }
  if (!header || !isEnded) {
    throw new Error('it is incomplete');
  }
  const { migrations } = header;
  if (serviceNames.some((service) => !migrations[service]?.length) || sumOf(counted) === 0) {
    throw new Error('it is the backup of an empty database');
  }
  return { ...header, rows: counted };
};

const assertRows = (name: string, found: number, expected: number): void => {
  if (found !== expected) {
    throw new Error(`${name} should have ${expected} rows and has ${found}`);
  }
};

const sumOf = (counted: Readonly<Record<string, number>>): number =>
  Object.values(counted).reduce((sum, count) => sum + count, 0);

const newline = 10;

/** Rows of COPY's text format: line breaks inside of values are escaped. */
const countLines = (content: Buffer): number => {
  let count = 0;
  for (let at = content.indexOf(newline); at !== -1; at = content.indexOf(newline, at + 1)) {
    count += 1;
  }
  return count;
};
