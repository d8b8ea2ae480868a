import type { ReadOnlyFields } from '@commonplace/contracts/notes';
import { canonicalJson } from '../merge/canonical-json.ts';
import { rejected, type Decision } from './decision.ts';

/**
 * Rejects read-only fields whose values are not those of the note. A retry of the write that made the present
 * revision sends those of the revision before. Null: nothing to reject.
 */
export const rejectOtherValues = (
  sent: ReadOnlyFields,
  present: ReadOnlyFields,
  isRetry: boolean,
): Decision | null => {
  const isOneBehind = isRetry && sent.revision === (present.revision ?? 0) - 1;
  const names = Object.keys(sent) as (keyof ReadOnlyFields)[];
  const errors = names
    .filter((name) => !(isOneBehind && changesWithRevision.has(name)))
    .filter((name) => canonicalJson([sent[name]]) !== canonicalJson([present[name]]))
    .map((name) => ({ path: `/${name}`, message: 'is read-only and has another value' }));
  if (errors.length === 0) {
    return null;
  }
  const detail = 'Read-only fields may be sent only with the values they have.';
  return {
    ...rejected('validation_failed', detail),
    error: { code: 'validation_failed', detail, errors },
  };
};

const changesWithRevision: ReadonlySet<keyof ReadOnlyFields> = new Set([
  'revision',
  'size',
  'snippet',
  'updatedAt',
  'updatedBy',
]);
