import type { Schema } from '@commonplace/client';
import { printJson, printNotice } from '../print.ts';

/** Whether a write became a proposal, because of the grants of the credential. */
export const isProposed = (written: object): written is Schema<'Proposed'> => 'proposal' in written;

/** Says that a write changed nothing yet; returns the exit code. */
export const reportProposed = (
  written: Schema<'Proposed'>,
  { json }: { readonly json?: boolean | undefined },
): number => {
  if (json) {
    printJson(written);
  } else {
    printNotice(`proposed, not yet applied: proposal ${written.proposal.id}`);
  }
  return 0;
};
