export { LockedError, readHolder, takeFileLock, wasLockAbandoned } from './file-lock.ts';
export { hasStartTime, processStartTime } from './process-start-time.ts';
