import type { Profile, Role } from "@slabdesk/contract/api/people.ts";

/** What somebody is called on the desk. */
export function nameOf(user: Pick<Profile, "fullName" | "email">): string {
  return user.fullName.trim() === "" ? user.email : user.fullName;
}

export const ROLE_LABELS: Record<Role, string> = { user: "User", admin: "Admin" };

/** People of whom every word of the text is somewhere in the name, the email or the role. */
export function usersWith(users: readonly Profile[], text: string): readonly Profile[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return users;
  return users.filter(({ fullName, email, role, isActive }) => {
    const said = `${fullName} ${email} ${role} ${isActive ? "active" : "inactive"}`.toLowerCase();
    return words.every((word) => said.includes(word));
  });
}
