import { failure, ok, skipped, warning, type Finding } from '@commonplace/checks';

/** A larger difference breaks run tokens of 60 s, and sessions. */
const secondsMax = 5;
/** Identities between processes last ten seconds: beyond, every request is refused. */
const refusedSecondsMin = 10;
const todo = 'Synchronise the clocks of both machines (NTP).';

/** Compares a clock, by the header `Date` of a response, with this machine's. */
export const clockFinding = (name: string, date: string | null): Finding => {
  const seconds = secondsOff(date);
  if (Number.isNaN(seconds)) {
    return skipped(`clock of ${name}`, 'its response does not say the time');
  }
  return seconds <= secondsMax
    ? ok(`clock of ${name}`, `${seconds} s off`)
    : warning(`clock of ${name}`, `${seconds} s off`, todo);
};

/** The same for a process that works with those of this machine. */
export const processClockFinding = (name: string, date: string | null): Finding => {
  const seconds = secondsOff(date);
  return seconds >= refusedSecondsMin
    ? failure(`clock of ${name}`, `${seconds} s off: processes refuse each other's requests`, todo)
    : clockFinding(name, date);
};

const secondsOff = (date: string | null): number =>
  Math.round(Math.abs(Date.parse(date ?? '') - Date.now()) / 1_000);
