/**
 * Makes the allocator of glibc return memory to the system: large blocks when they are freed, and the end of its heap
 * beyond 128 KiB. Without a fixed limit, glibc raises its own with the first large block that is freed, and keeps up to
 * 64 MiB per process (docs/adr/0032).
 */
export const mallocEnvironment = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
