/** Aborts its signal when nothing was received for a time. */
export type SilenceTimer = {
  readonly signal: AbortSignal;
  /** Something was received: the time begins again. */
  readonly restart: () => void;
  readonly hasReceived: () => boolean;
  readonly stop: () => void;
};

/** Starts a timer of so many milliseconds. */
export const startSilenceTimer = (silenceMsMax: number): SilenceTimer => {
  const silence = new AbortController();
  const start = () => setTimeout(() => silence.abort(), silenceMsMax);
  let timer = start();
  let hasReceived = false;
  return {
    signal: silence.signal,
    restart: () => {
      hasReceived = true;
      clearTimeout(timer);
      timer = start();
    },
    hasReceived: () => hasReceived,
    stop: () => clearTimeout(timer),
  };
};
