export { LockedError, readHolder, takeFileLock, wasLockAbandoned } from './file-lock.ts';
