import type { Schema } from '@commonplace/client';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { isChangedSince } from '../../api/problems.ts';
import { keys } from '../../api/query-keys.ts';
import { detailOf } from '../../components/error-alert.tsx';
import { showWithUndo } from '../../components/show-with-undo.tsx';
import { titleText } from '../../components/title-text.ts';
import { takeBackAccepted, type Accepted } from './take-back-accepted.ts';

/** Those that were accepted at once, with the revisions that they became. */
type Step = readonly Accepted[];

/** What is displayed, so that one message counts what is accepted one after the other, and covers no more. */
let shown: { readonly id: string; readonly steps: readonly Step[] } | null = null;

/** Says what was accepted, with the way back where notes have changed. */
export const showAccepted = (
  client: QueryClient,
  proposals: readonly (Omit<Accepted, 'revision'> & Pick<Schema<'Proposal'>, 'revision'>)[],
): void => {
  const step = proposals.flatMap(({ revision, ...rest }) =>
    revision === null ? [] : [{ ...rest, revision }],
  );
  const [first] = proposals;
  if (step.length > 0) {
    const before = shown?.steps ?? [];
    const isSameCompany = before.flat().every(({ companyId }) => companyId === first?.companyId);
    show(client, [...(isSameCompany ? before : []), step]);
  } else if (first) {
    const what =
      proposals.length === 1
        ? `Accepted: ${titleText(first.title)}, the note`
        : `${proposals.length} accepted, the notes`;
    notifications.show({ message: `${what} had this content already.` });
  }
};

const show = (client: QueryClient, steps: readonly Step[]): void => {
  if (shown) {
    notifications.hide(shown.id);
  }
  const id = `accepted-${crypto.randomUUID()}`;
  shown = { id, steps };
  const all = steps.flat();
  const last = steps.at(-1) ?? [];
  const undo = async (taken: readonly Accepted[]): Promise<string> => {
    const text = await takeBackAccepted(client, taken);
    void client.invalidateQueries({ queryKey: keys.notes(taken[0]?.companyId ?? '') });
    return text;
  };
  const undoLast = async (): Promise<string> => {
    const text = await undo(last);
    // The others can still be taken back, also with what was accepted meanwhile.
    show(client, [...steps.slice(0, -1), ...(shown?.steps ?? [])]);
    return text;
  };
  showWithUndo({
    id,
    text: textOf(steps),
    undo: () => undo(all),
    failure: (error) => failureOf(error, all),
    ...(steps.length > 1 && { label: 'Undo all', undoLast }),
    onClose: () => {
      if (shown?.id === id) {
        shown = null;
      }
    },
  });
};

const textOf = (steps: readonly Step[]): string => {
  const last = steps.at(-1) ?? [];
  const [only] = last;
  const text =
    only && last.length === 1
      ? `Accepted: ${titleText(only.title)}, revision ${only.revision}.`
      : `${last.length} accepted.`;
  return steps.length === 1 ? text : `${text} ${steps.flat().length} in all.`;
};

const failureOf = (error: unknown, [only, ...others]: readonly Accepted[]): string => {
  const name = only && others.length === 0 ? titleText(only.title) : 'One of the notes';
  return isChangedSince(error)
    ? `${name} has changed since, so it was left alone. Its history has the version before.`
    : `${name}: ${detailOf(error)}`;
};
