import { DEFAULT_SOURCE_SETTINGS } from '../../source/settings.ts'

/** Members of a join that are opened or asked at the same time: as many as one origin is sent requests. */
export const MAX_PARALLEL_MEMBERS = DEFAULT_SOURCE_SETTINGS.perOriginConcurrency
