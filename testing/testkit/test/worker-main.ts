import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopWithWorker } from '../src/stop-with-worker.ts';

// Listens to its parent as a worker of Jest does, and no longer after its first message.

const [, , file = ''] = process.argv;
const stayAlive = setInterval(() => undefined, 1_000);
stopWithWorker(async () => {
  await sleep(1);
  writeFileSync(file, 'stopped');
  clearInterval(stayAlive);
});
const onMessage = (): void => void process.removeListener('message', onMessage);
process.on('message', onMessage);
process.send?.('ready');
