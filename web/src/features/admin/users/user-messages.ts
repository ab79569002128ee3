import type { Profile } from "@slabdesk/contract/api/people.ts";
import { counted, formatCount } from "../../../ui/format-numbers.ts";

export function nameOf(user: Pick<Profile, "fullName" | "email">): string {
  return user.fullName.trim() === "" ? user.email : user.fullName;
}

/** "1,204 users"; if some don't match the filter, "3 of 1,204 users". */
export function countMessage(shown: number, all: number): string {
  return shown < all ? `${formatCount(shown)} of ${formatCount(all)} users` : counted(all, "user");
}

/** Users whose name, email, or role contains every word of the text. */
export function usersWith<User extends Profile>(users: readonly User[], text: string): readonly User[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return users;
  return users.filter(({ fullName, email, role, isActive }) => {
    const searchText = `${fullName} ${email} ${role} ${isActive ? "active" : "inactive"}`.toLowerCase();
    return words.every((word) => searchText.includes(word));
  });
}
