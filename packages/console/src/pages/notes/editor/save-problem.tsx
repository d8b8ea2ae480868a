import { FormError } from '../../../components/form-error.tsx';
import { ReadOnlyNotice } from './read-only-notice.tsx';
import type { useSaveAgain } from './use-save-again.ts';

type SaveProblemProps = {
  readonly form: React.ComponentProps<typeof FormError>['form'];
  readonly again: ReturnType<typeof useSaveAgain>;
  readonly draft: {
    readonly isChanged: boolean;
    /** Whether this browser has stored the text; null: not tried yet. */
    readonly isKept: boolean | null;
  };
  /** What was written, to be copied. */
  readonly readWords: () => string;
};

/** Why a text is not saved, and what becomes of it. */
export const SaveProblem = ({ form, again, draft, readWords }: SaveProblemProps) => {
  const { failure, isReadOnly } = again;
  return (
    <>
      {isReadOnly && <ReadOnlyNotice read={readWords} hasText={draft.isChanged} />}
      <FormError form={form} error={failure} hint={hintOf(again, draft.isKept)} keepsFocus />
    </>
  );
};

const keptHint = 'Nothing is lost: your text stays here, and in this browser until it is saved.';
const onlyHereHint =
  'Your text stays here while this page is open. This browser did not store it, so do not close the page.';
const againHint = 'It is saved by itself once the server responds.';
const onceHint = 'Save again when this is resolved.';

const hintOf = (again: SaveProblemProps['again'], isKept: boolean | null): string =>
  `${isKept === false ? onlyHereHint : keptHint} ${nextHint(again)}`;

const nextHint = ({ dueMs, isTriedOnContact }: SaveProblemProps['again']): string => {
  if (dueMs !== null) {
    return `It waits because the server is busy, and is saved by itself at ${new Date(dueMs).toLocaleTimeString()}.`;
  }
  return isTriedOnContact ? againHint : onceHint;
};
