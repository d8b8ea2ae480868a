import { LockedError, takeFileLock } from '../src/index.ts';

// At every line it tries to take the lock and says whether it has it. It is ended by killing it.
const [path = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
const take = async (): Promise<void> => {
  try {
    await takeFileLock(path);
    process.stdout.write('held\n');
  } catch (error) {
    process.stdout.write(error instanceof LockedError ? 'refused\n' : `${String(error)}\n`);
  }
};
process.stdin.on('data', () => void take());
