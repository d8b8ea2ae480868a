/** Settings of the server; those of the caller override ours. */
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
  // Memory is allocated on first use: an idle server uses a few megabytes of it.
  shared_buffers: '64MB',
  wal_buffers: '4MB',
  // WAL files are recycled: creating one takes 20 to 40 ms, during a COMMIT.
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
 * For tests: a crash of the machine loses data, a crash of the server does not. (synchronous_commit stays on,
 * because a commit must survive a kill of the server.)
 */
const unsafe = { fsync: 'off', full_page_writes: 'off' } as const;
