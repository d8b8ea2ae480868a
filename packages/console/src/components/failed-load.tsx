import { ErrorAlert } from './error-alert.tsx';

type FailedLoadProps = {
  readonly query: {
    /** Undefined: not loaded. */
    readonly data: unknown;
    readonly error: Error | null;
    readonly refetch: () => Promise<unknown>;
  };
  /** Replaces the detail of the problem. */
  readonly children?: React.ReactNode;
};

/**
 * Says why something could not be loaded. What was loaded before stays as it is: that it may be out of date is said by the
 * layout (`out-of-date.tsx`), for the whole page and without moving it.
 */
export const FailedLoad = ({ query: { data, error, refetch }, children }: FailedLoadProps) =>
  data === undefined && error ? (
    <ErrorAlert error={error} onRetry={() => void refetch()}>
      {children}
    </ErrorAlert>
  ) : null;
