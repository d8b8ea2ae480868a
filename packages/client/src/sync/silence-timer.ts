/** Aborts its signal when nothing was heard for a time. */
export type SilenceTimer = {
  readonly signal: AbortSignal;
  /** Something was heard: the time begins again. */
  readonly restart: () => void;
  readonly hasHeard: () => boolean;
  readonly stop: () => void;
};

/** Starts a timer of so many milliseconds. */
export const startSilenceTimer = (silenceMsMax: number): SilenceTimer => {
  const silence = new AbortController();
  const start = () => setTimeout(() => silence.abort(), silenceMsMax);
  let timer = start();
  let hasHeard = false;
  return {
    signal: silence.signal,
    restart: () => {
      hasHeard = true;
      clearTimeout(timer);
      timer = start();
    },
    hasHeard: () => hasHeard,
    stop: () => clearTimeout(timer),
  };
};
