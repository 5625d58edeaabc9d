/** Readers at different places of one array, or of one file, that are followed at a time. */
export const MAX_RUNS = 8
/** Who rests for longer begins anew. */
export const MAX_REST_MILLISECONDS = 5000
/** What comes within so short a time was asked for at once, by a client that does not wait for answers: a map's screen. */
export const MIN_SPAN_MILLISECONDS = 5
/** Most that is fetched at a time for one reader. */
export const MAX_WINDOW_BYTES = 2 ** 23
