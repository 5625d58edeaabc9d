/**
 * The attribute that keeps the name a member has in the source, where clients can't use it. It has a prefix, since every file of
 * CMIP has an attribute `original_name` of its own.
 */
export const ORIGINAL_NAME = 'virtual_zarr:name'
