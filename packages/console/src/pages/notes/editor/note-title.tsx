import type { UseFormReturnType } from '@mantine/form';
import type { NoteText } from '../note-text.ts';
import { TitleField } from './title-field.tsx';
import { TitleHint } from './title-hint.tsx';
import { useTitleTwins, type TitleOptions } from './use-title-twins.ts';

type NoteTitleProps = Omit<TitleOptions, 'written'> & {
  readonly form: UseFormReturnType<NoteText>;
  /** Null: a new note. */
  readonly baseRevision: number | null;
  readonly onGoOn: () => void;
  /** Whether there is nothing but the toolbar between title and text, besides the hint. */
  readonly isNext: () => boolean;
};

/** The title of a note in its editor, and a hint if the folder has it already. */
export const NoteTitle = ({ form, baseRevision, onGoOn, isNext, ...name }: NoteTitleProps) => {
  const { draftName, saved, isPending } = name;
  const twins = useTitleTwins({ draftName, saved, isPending, written: form.values });
  const isNew = baseRevision === null;
  return (
    <div>
      <TitleField
        form={form}
        isNew={isNew}
        onGoOn={onGoOn}
        isNext={() => isNext() && twins.length === 0}
      />
      <TitleHint
        companyId={draftName.companyId}
        folder={form.values.folder}
        twins={twins}
        isNew={isNew}
      />
    </div>
  );
};
