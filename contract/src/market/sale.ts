/** One sale: its date (ISO 8601), the price in cents, and the platform if the source names one. */
export type Sale = { soldAt: string; cents: number; platform: string | null };
