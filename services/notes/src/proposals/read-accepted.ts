import type { Reach } from '@commonplace/contracts/core';
import type { NoteFields } from '@commonplace/contracts/notes';
import { lookup } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import { canonicalJson } from '../merge/canonical-json.ts';
import { mergeTags } from '../merge/merge-note.ts';
import type { ProposalRow } from '../queries/proposals.ts';
import { findVersion } from '../queries/versions.ts';
import { otherFieldsOf, type OtherFields } from '../rules/note-state.ts';

/** What is accepted instead of the proposed content, and the revision that it was made from. */
export type AcceptedText = {
  readonly content?: string | undefined;
  readonly revision?: number | undefined;
};

/** The note that is accepted, and the version that it is based on; null: none that is known. */
export type Accepted = { readonly note: NoteFields; readonly baseRevision: number | null };

/**
 * What is accepted of a proposal. A text of the decider that was made from a later version comes with the other fields of that
 * version and what the proposal changes of them, so that it takes back nothing of what others did meanwhile.
 */
export const readAccepted = async (
  { db }: Pick<Deps, 'db'>,
  reach: Reach,
  { row, text }: { readonly row: ProposalRow; readonly text: AcceptedText },
): Promise<Accepted> => {
  const content = text.content ?? row.content ?? '';
  const asProposed = { ...otherFieldsOf(row), content };
  const { revision = row.baseRevision } = text;
  if (row.proposalOf === null) {
    return { note: asProposed, baseRevision: null };
  }
  if (revision === null || revision === row.baseRevision) {
    return { note: asProposed, baseRevision: revision };
  }
  const fieldsAt = async (at: number): Promise<OtherFields | null> => {
    const version = await lookup(db, reach, (tx) =>
      findVersion(tx, { id: row.noteId, revision: at }, 0),
    );
    return version && !version.deleted ? otherFieldsOf(version) : null;
  };
  const [before, later] = await Promise.all([
    row.baseRevision === null ? null : fieldsAt(row.baseRevision),
    fieldsAt(revision),
  ]);
  if (later === null) {
    return { note: asProposed, baseRevision: null };
  }
  // Of a version that is gone nobody knows what the proposal changes besides the text.
  const fields = before ? changed(before, later, otherFieldsOf(row)) : later;
  return { note: { ...fields, content }, baseRevision: revision };
};

/** Later fields with the changes of the proposed ones, which win where both changed one. */
const changed = (before: OtherFields, later: OtherFields, proposed: OtherFields): OtherFields => {
  const pick = <Name extends keyof OtherFields>(name: Name): OtherFields[Name] =>
    canonicalJson(before[name]) === canonicalJson(proposed[name]) ? later[name] : proposed[name];
  return {
    title: pick('title'),
    folder: pick('folder'),
    tags: mergeTags(before.tags, later.tags, proposed.tags),
    pinned: pick('pinned'),
    archived: pick('archived'),
    properties: changedProperties(before.properties, later.properties, proposed.properties),
  };
};

type Properties = OtherFields['properties'];

/** Each key by itself: what others did to another one stays. */
const changedProperties = (
  before: Properties,
  later: Properties,
  proposed: Properties,
): Properties => {
  const isSame = (key: string): boolean => {
    const [was, is] = [before, proposed].map((of) => Object.hasOwn(of, key));
    return was === is && canonicalJson([before[key]]) === canonicalJson([proposed[key]]);
  };
  const kept = Object.entries(later).filter(([key]) => isSame(key));
  return Object.fromEntries([...kept, ...Object.entries(proposed).filter(([key]) => !isSame(key))]);
};
