import { RelativeTime } from './relative-time.tsx';

/** A relative time, or "Never" where there is none. */
export const Moment = ({ at }: { readonly at: string | null }) =>
  at === null ? 'Never' : <RelativeTime at={at} />;
