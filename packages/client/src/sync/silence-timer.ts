/** Aborts its signal when nothing was received for a time. */
export type SilenceTimer = {
  readonly signal: AbortSignal;
  /** Something was received: the time begins again. */
  readonly restart: () => void;
  readonly stop: () => void;
};

/** Starts a timer of so many milliseconds. */
export const startSilenceTimer = (silenceMsMax: number): SilenceTimer => {
  const silence = new AbortController();
  const abort = () => {
    const seconds = silenceMsMax / 1_000;
    silence.abort(new DOMException(`Nothing was received for ${seconds} s`, 'TimeoutError'));
  };
  let timer = setTimeout(abort, silenceMsMax);
  return {
    signal: silence.signal,
    restart: () => {
      clearTimeout(timer);
      timer = setTimeout(abort, silenceMsMax);
    },
    stop: () => clearTimeout(timer),
  };
};
