import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';

/** Identifies a version of a note. */
export type VersionName = { readonly id: NoteId; readonly revision: number };

/**
 * The text of a version `v`. A version has none of its own where the next one repeats it or begins with it
 * (`dropRepeatedTexts`), or where it is the newest of a note that grew (`insertVersions`). Then it is the first `size` bytes of
 * the text of its note, if the note says so (`texts_from`), else of that of the nearest later version with a text, else of that
 * of its note. Deletions have none. Who does not see all folders gets it by `notes.text_of`: the later text may be elsewhere.
 */
export const textOf = ({ folders }: CompanyTx): string =>
  folders === null ? textAmongAll : 'v.content';

/** `left` does not read more of a large text than it needs, and counts characters, of which a text has no more than bytes. */
const firstBytes = (text: string): string =>
  `convert_from(substring(convert_to(left(${text}, v.size), 'UTF8') from 1 for v.size), 'UTF8')`;

const textOfNote = (condition: string): string => `(
  select n.content from notes.notes n
  where n.company_id = $1 and n.id = v.note_id and ${condition})`;

const textAmongAll = `
  coalesce(v.content, case when not v.deleted then ${firstBytes(`coalesce(
    ${textOfNote('n.texts_from <= v.revision')},
    (select t.content from notes.note_revisions t
     where t.company_id = $1 and t.note_id = v.note_id and t.revision > v.revision
       and t.content is not null and not t.deleted
     order by t.revision
     limit 1),
    ${textOfNote('n.texts_to > v.revision')})`)} end)`;

/**
 * Removes the texts of versions that the next version of their note repeats, or begins with. One statement each, because
 * Citus refuses functions in the `from` of an update, in the order in which a purge locks versions.
 */
export const dropRepeatedTexts = (
  tx: CompanyTx,
  names: readonly VersionName[],
): Promise<unknown>[] =>
  names.toSorted(inOrder).map(({ id, revision }) =>
    tx.query(
      `update notes.note_revisions set content = null
       where company_id = $1 and note_id = $2 and revision = $3 and not deleted`,
      [tx.companyId, id, revision],
      'notes.drop-repeated-text',
    ),
  );

const inOrder = (a: VersionName, b: VersionName): number =>
  a.id === b.id ? a.revision - b.revision : a.id < b.id ? -1 : 1;

/**
 * Gives the newest versions of notes that grew the text of their note, before that is replaced: it begins with those of the
 * earlier ones. Throws, so that nothing is written, unless each of these versions has its text then.
 */
export const keepTexts = async (tx: CompanyTx, names: readonly VersionName[]): Promise<void> => {
  const kept = await tx.query<VersionName>(
    `update notes.note_revisions v set content = n.content
     from notes.notes n
     where v.company_id = $1 and n.company_id = $1 and n.id = any ($2::uuid[])
       and v.note_id = n.id and v.revision = n.texts_to and v.size = n.size and not v.deleted
     returning v.note_id as id, v.revision`,
    [tx.companyId, names.map(({ id }) => id)],
    'notes.keep-texts',
  );
  const revisionOf = new Map(kept.map(({ id, revision }) => [id, revision]));
  const lost = names.find(({ id, revision }) => revisionOf.get(id) !== revision);
  if (lost) {
    throw new Error(`The text of version ${lost.revision} of note ${lost.id} is not there`);
  }
};
