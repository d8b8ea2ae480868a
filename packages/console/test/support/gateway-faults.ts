import { setTimeout as sleep } from 'node:timers/promises';
import type { TestSystem } from '@commonplace/e2e/test-system';

type System = Pick<TestSystem, 'baseUrl' | 'system'>;

const responds = async ({ baseUrl }: System): Promise<boolean> =>
  fetch(`${baseUrl}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

const gatewayPid = ({ system }: System): number => {
  const pid = system.processes.find(({ name }) => name === 'gateway')?.pid;
  if (!pid) {
    throw new Error('No gateway is running.');
  }
  return pid;
};

/** Kills the gateway as the kernel would, and waits until its port is closed. The system starts another. */
export const killGateway = async (subject: System): Promise<void> => {
  const pid = gatewayPid(subject);
  process.kill(pid, 'SIGKILL');
  while (subject.system.processes.some((each) => each.pid === pid)) {
    await sleep(5);
  }
};

/** Waits until a gateway responds again. */
export const untilGatewayIsBack = async (subject: System): Promise<void> => {
  while (!(await responds(subject))) {
    await sleep(50);
  }
};
