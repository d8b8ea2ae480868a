import type { Schema } from '@commonplace/client';
import { Text } from '@mantine/core';
import { Name } from './name.tsx';
import { RelativeTime } from './relative-time.tsx';

type AlreadyDoneProps = {
  /** "Ada was paused already". */
  readonly text: string;
  /** Null: nobody did it, it has been so from the beginning. */
  readonly before: Schema<'ActivityEntry'> | null;
};

/** Says that a change was made before, by whom and when. */
export const AlreadyDone = ({ text, before }: AlreadyDoneProps) => (
  <Text span size="sm" className="any-script">
    {text}
    {before !== null && (
      <>
        , by <Name>{before.actor.name}</Name>
        {before.actor.emailVerified === false && ' (unverified)'} <RelativeTime at={before.at} />
      </>
    )}
    .
  </Text>
);
