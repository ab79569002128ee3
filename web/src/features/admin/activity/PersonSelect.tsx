import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { adminUsersQuery } from "../../../api/users.ts";
import type { AdminFilter } from "../admin-filter.ts";

type AdminUser = NonNullable<AdminFilter["user"]>;

type PersonSelectProps = { user: AdminUser | undefined; onUser: (user: AdminUser | undefined) => void };

/** Filters a list by user. */
export function PersonSelect({ user, onUser }: PersonSelectProps): ReactNode {
  const users = useQuery(adminUsersQuery).data ?? [];
  const choices = users
    .map(({ id, fullName, email }) => ({ id, name: fullName.trim() || email, email }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  const names = new Set<string>();
  const repeatedNames = new Set(choices.map(({ name }) => name).filter((name) => names.size === names.add(name).size));
  const isListed = user === undefined || choices.some(({ id }) => id === user.id);
  return (
    <NativeSelect
      size="xs"
      aria-label="Person"
      value={user?.id ?? ""}
      onChange={({ currentTarget }) => {
        const chosen = choices.find(({ id }) => id === currentTarget.value);
        onUser(chosen && { id: chosen.id, name: chosen.name });
      }}
      data={[
        { value: "", label: "Everybody" },
        // Include the filter's user before the user list has loaded.
        ...(isListed ? [] : [{ value: user.id, label: user.name }]),
        ...choices.map(({ id, name, email }) => ({
          value: id,
          label: repeatedNames.has(name) ? `${name} (${email})` : name,
        })),
      ]}
    />
  );
}

/** Returns the filter with another user, or without one. */
export function withUser(filter: AdminFilter, user: AdminUser | undefined): AdminFilter {
  const { user: _, ...mark } = filter;
  return user === undefined ? mark : { ...mark, user };
}
