/** Of text, whose length only what is stored tells: that and its copy for a thread, strings of up to twice as much, what is written of them, and garbage. */
export const HELD_FOR_TEXT = 7

/** Most stored bytes that are read whole to make one chunk. */
export const MOST_STORED_BYTES = 2 ** 28

/**
 * Chunks up to this size are read whole and sent at once, longer ones streamed: held, 128 KiB take a quarter more processor time, and
 * 2 MiB half as much again.
 */
export const SMALL_BODY_BYTES = 2 ** 16

/**
 * Ranges that lie closer together are read as one: at 10 to 100 MB/s a round trip of 20 to 100 ms costs about as much as
 * reading a megabyte that nobody asked for, and `READS_AT_ONCE` of them run at a time.
 */
export const MERGE_GAP_BYTES = 2 ** 17

/** Most bytes that one merged read may hold. */
export const MOST_MERGED_BYTES = 2 ** 24

/** Long reads of one chunk that run at the same time: all of them are held. */
export const PARALLEL_LONG_READS = 4
export const LONG_READ_BYTES = 2 ** 22

/** Gathered bodies up to this size are put together in memory, longer ones streamed read by read. */
export const MOST_GATHERED_BYTES = 2 ** 25

/** Most bytes that are read upstream for one chunk, neighbours that nobody asked for included. */
export const MOST_UPSTREAM_BYTES = 2 ** 31
