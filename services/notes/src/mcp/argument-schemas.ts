import { noteFolder, noteLimits, noteTag } from '@commonplace/contracts/notes';
import { z } from 'zod';

/** Revisions are 32-bit integers in PostgreSQL. */
export const revisionNumber = z.int().min(1).max(2_147_483_647);

/** The number of a line or byte. */
export const position = (min: 0 | 1) => z.int().min(min).max(2_147_483_647);

/** The code units of the longest folder, with slashes around it. */
const folderLengthMax = 2 * noteLimits.folderCharactersMax + 16;

/** A folder; models also write slashes around it. */
export const folderName = z
  .string()
  .max(folderLengthMax)
  .transform((text) => text.replace(/^\/+/, '').replace(/\/+$/, ''))
  .pipe(noteFolder);

/** Tags, as many as a note has. */
export const tagNames = z.array(noteTag).max(noteLimits.tagsMax);

/** Cursors of the routes: of short lists, and of those that contain a title. */
export const cursorText = z.string().min(1).max(1024);
export const longCursorText = z.string().min(1).max(4096);
