/** All pixels hold something, or those of the mask. */
export const WHOLE: i32 = 0
export const MASKED: i32 = 1
/** The blob makes no sense. */
export const DAMAGED: i32 = -1
/** It is coded in a way that is not decoded here. */
export const OTHER: i32 = -2
