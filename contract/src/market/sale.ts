/** One sale: when it was (ISO 8601), for how many cents, and where, if the source says so. */
export type Sale = { soldAt: string; cents: number; platform: string | null };
