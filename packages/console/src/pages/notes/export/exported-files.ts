import { apiOf } from '../../../api/api.ts';
import { cursorOf } from '../../../api/pages.ts';
import { createFileOf, type ExportedFile } from './file-of-note.ts';

type ExportOptions = {
  readonly companyId: string;
  /** The folder and what is below it; undefined: all notes. */
  readonly folder: string | undefined;
  readonly signal: AbortSignal;
  /** Called with the number of notes that were read. */
  readonly onProgress: (notes: number) => void;
};

/** A page ends after about 4 MiB of content in any case. */
const notesPerPage = 200;

/**
 * Reads the notes of a folder page by page, and yields each as a Markdown file as `commonplace sync` writes it.
 * No more than one page of content is in memory. The order is that of creation, so that changes meanwhile move
 * no note between pages.
 */
export async function* exportedFiles({
  companyId,
  folder,
  signal,
  onProgress,
}: ExportOptions): AsyncGenerator<ExportedFile> {
  const fileOf = createFileOf();
  let notes = 0;
  let cursor: string | undefined;
  do {
    const { data: page } = await apiOf(companyId).get('/api/notes', {
      params: {
        query: {
          view: 'full',
          sort: 'createdAt',
          order: 'asc',
          limit: notesPerPage,
          ...(folder === undefined ? {} : { folder }),
          ...cursorOf(cursor),
        },
      },
      signal,
    });
    for (const note of page.items) {
      yield fileOf(note);
    }
    notes += page.items.length;
    onProgress(notes);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
