import { AppError } from '@commonplace/contracts';
import { semaphore } from './semaphore.ts';

export type GateOptions = {
  /** Look-ups under way at once. */
  readonly inFlightMax: number;
  /** How many of them may be for credentials nobody has vouched for yet. */
  readonly strangersMax: number;
  readonly waitMaxMs: number;
};

/** Runs a look-up when there is room for it, or answers 503. */
export type LookUpGate = <Result>(
  isStranger: boolean,
  task: () => Promise<Result>,
) => Promise<Result>;

/**
 * Bounds the look-ups in flight. Strangers (digests never seen to be good) pass a narrower gate
 * before the common one, so that a flood of them cannot starve good callers.
 */
export const lookUpGate = ({ inFlightMax, strangersMax, waitMaxMs }: GateOptions): LookUpGate => {
  const everybody = semaphore({ runningMax: inFlightMax, waitMaxMs, refusal: tooMuch });
  const strangers = semaphore({ runningMax: strangersMax, waitMaxMs, refusal: tooMuch });
  return (isStranger, task) => (isStranger ? strangers(() => everybody(task)) : everybody(task));
};

const tooMuch = (): AppError =>
  new AppError('busy', undefined, { headers: { 'Retry-After': '1' } });
