/*
 * Profiles that the database creates for the activity log. They are no users: nobody can sign in to them with an email,
 * and they aren't listed or counted.
 */

/** Acts for scripts that sign in with the backend password. An administrator. */
export const BACKEND_ID = "backend-service";

/** Stands for failed sign-ins with an email that no user has. */
export const UNKNOWN_ID = "unknown-account";
