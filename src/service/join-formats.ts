/** What names other files and is made of them. */
export const JOIN_FORMATS = ['join', 'vrt'] as const
export type JoinFormat = (typeof JOIN_FORMATS)[number]
