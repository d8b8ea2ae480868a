export { LockedError, readLivingHolder, takeFileLock, wasLockAbandoned } from './file-lock.ts';
