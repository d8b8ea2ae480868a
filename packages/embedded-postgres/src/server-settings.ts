/** Settings of the server; `settings` of the caller win over ours. */
export const serverSettings = (options: {
  readonly port: number;
  readonly fsync: boolean;
  readonly settings: Readonly<Record<string, string>>;
}): string[] => {
  const settings = {
    ...common,
    ...(options.fsync ? {} : unsafe),
    ...options.settings,
    port: String(options.port),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
};

/** A small server for one machine: reachable over loopback only, few helper processes, quiet log. */
const common = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  // Memory is taken when it is first used: an idle server has a few megabytes of these.
  shared_buffers: '64MB',
  wal_buffers: '4MB',
  // Files of the log are kept and written again: to make one takes 20 to 40 ms, amid somebody's COMMIT.
  min_wal_size: '256MB',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  cluster_name: 'commonplace',
} as const;

/**
 * For tests: loses data when the machine goes down, never when only the server does. (That is why
 * synchronous_commit stays on: it is what makes a commit survive a kill of the server.)
 */
const unsafe = { fsync: 'off', full_page_writes: 'off' } as const;
