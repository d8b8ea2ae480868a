import type { Decision } from '../rules/decision.ts';
import type { Outcome } from './change.ts';

/** The outcome of a change that is invalid, or that its sender may not make. It shows nothing of the note. */
export const rejectionOf = ({ status, error }: Pick<Decision, 'status' | 'error'>): Outcome => ({
  status,
  revision: null,
  note: null,
  wasActive: false,
  conflictNoteId: null,
  isReplay: false,
  error,
});
