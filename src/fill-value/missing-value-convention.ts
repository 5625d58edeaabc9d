/** UUID of the `missing_value` convention (CONV-4), the key of its object among an array's attributes. */
export const MISSING_VALUE_CONVENTION = '78691ef5-ff17-4c55-98ca-a57f0e9d50bd'
