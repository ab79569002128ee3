import type { OwnProfile } from "@slabdesk/contract/api/people.ts";

/** The profile of a user with this id. */
export const profileOf = (id: string): OwnProfile => ({
  id,
  email: `${id}@example.com`,
  fullName: "Some One",
  role: "user",
  isActive: true,
  totalScans: 0,
  totalCardsProcessed: 0,
  lastLogin: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  mustChangePassword: false,
  hasTwoStep: false,
  mustSetUpTwoStep: false,
});
