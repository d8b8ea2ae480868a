import { z } from 'zod';

/** The first frame of a backup. */
export const archiveHeader = z.object({
  format: z.literal('commonplace-backup'),
  version: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The version of PostgreSQL; informational. */
  serverVersion: z.string(),
  /** The migrations of the schema, by service. A restore runs exactly these first. */
  migrations: z.record(z.string(), z.array(z.string())),
  /** How the server folds titles, see `readTitleKey`. */
  titleKey: z.string().nullish(),
});

/** The checked header. */
export type ArchiveHeader = z.infer<typeof archiveHeader>;

/** A table of the backup, and the order of the columns in its data. */
export const archiveTable = z.object({
  service: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
});

/** One table. */
export type ArchiveTable = z.infer<typeof archiveTable>;

/** Ends a table. Another number of rows means that the file is damaged. */
export const archiveTableEnd = z.object({ rows: z.int() });

/** Ends the backup; without it the file is incomplete. */
export const archiveEnd = z.object({ tables: z.int(), rows: z.int() });

/**
 * A frame is its kind (one byte), the length of its content (four bytes, big endian) and the content:
 * JSON, or for `data` a part of COPY's output. All frames together are one zstd stream with checksum.
 */
export const frameKinds = {
  header: 'H',
  table: 'T',
  data: 'D',
  tableEnd: 'E',
  end: 'Z',
} as const;

/** The letter of a frame. */
export type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

/** A frame that was read. */
export type Frame = { readonly kind: FrameKind; readonly content: Buffer };

/** Kind and length. */
export const frameHeadBytes = 5;

/** COPY's rows have at most 1 GB, so a longer frame is invalid. */
export const frameBytesMax = 1024 * 1024 * 1024;
