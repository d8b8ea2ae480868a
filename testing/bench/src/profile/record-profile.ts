import { kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToSources, type Located } from './to-sources.ts';
import type { CpuProfile } from './time-by-stage.ts';

type RecordedProfile = Omit<CpuProfile, 'nodes'> & {
  readonly nodes: readonly (CpuProfile['nodes'][number] & { readonly callFrame: Located })[];
};

type InspectorResponse = {
  readonly id?: number;
  readonly result?: {
    readonly profile?: RecordedProfile;
    readonly result?: { readonly value?: unknown };
  };
};

const inspectorUrl = 'http://127.0.0.1:9229/json/list';
const samplingUs = 250;

/**
 * Profiles a process of Node while `during` runs, over its inspector, which SIGUSR1 opens and which is closed
 * afterwards. One process at a time: the port is Node's default.
 */
export const recordProfile = async (
  pid: number,
  during: () => Promise<unknown>,
): Promise<CpuProfile> => {
  kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await debuggerUrl());
  const pending = new Map<number, (response: InspectorResponse) => void>();
  let sent = 0;
  const call = (method: string, params: object = {}): Promise<InspectorResponse> =>
    new Promise((resolve) => {
      sent += 1;
      pending.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  socket.addEventListener('message', ({ data }) => {
    const response = JSON.parse(String(data)) as InspectorResponse;
    pending.get(response.id ?? 0)?.(response);
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`No inspector of process ${pid}`)));
  });
  await checkProcess(call, pid);
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: samplingUs });
  await call('Profiler.start');
  await during();
  const { result } = await call('Profiler.stop');
  const closed = new Promise((resolve) => {
    socket.addEventListener('close', resolve);
  });
  void call('Runtime.evaluate', { expression: closeInspector });
  await closed;
  if (result?.profile === undefined) {
    throw new Error(`Process ${pid} gave no profile`);
  }
  const { nodes, ...samples } = result.profile;
  const toSources = createToSources();
  return {
    ...samples,
    nodes: nodes.map((node) => ({ ...node, callFrame: toSources(node.callFrame) })),
  };
};

/** Another program may have had the port. */
const checkProcess = async (
  call: (method: string, params?: object) => Promise<InspectorResponse>,
  pid: number,
): Promise<void> => {
  const { result } = await call('Runtime.evaluate', { expression: 'process.pid' });
  if (result?.result?.value !== pid) {
    throw new Error(`The inspector at ${inspectorUrl} is not that of process ${pid}`);
  }
};

/** After the response: closing waits for all connections, this one too. */
const closeInspector = `setImmediate(() => process.getBuiltinModule('node:inspector').close())`;

const debuggerUrl = async (): Promise<string> => {
  for (let attemptsLeft = 100; ; attemptsLeft -= 1) {
    try {
      const response = await fetch(inspectorUrl);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      if (target !== undefined) {
        return target.webSocketDebuggerUrl;
      }
    } catch (error) {
      if (attemptsLeft === 0) {
        throw error;
      }
    }
    await sleep(50);
  }
};
