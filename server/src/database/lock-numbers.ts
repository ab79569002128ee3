/* Our PostgreSQL advisory locks. The numbers are arbitrary, but each lock needs its own. */

export const FIRST_ADMIN_LOCK = 460_001;
/** Shared by transactions that copy rows from cached certs. */
export const TAKING_LOCK = 460_002;
export const ROLLUP_LOCK = 460_003;
export const SEARCH_LOCK = 460_004;
/** First key of the lanes' slots. The second one is the lane's number * 1000 + the slot's number, or 999 for waiting nodes. */
export const LANE_LOCKS = 7_412_001;
