export { LockedError, readHolder, takeFileLock, wasLockAbandoned } from './file-lock.ts';
export { processStartTime } from './process-start-time.ts';
